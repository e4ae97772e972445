import { additionalValues } from '../../../nodes/Prospector/parameters/body/additionalFields';
import { checkJsonObject } from '../../../nodes/Prospector/parameters/json';
import { checkCursor } from '../../../nodes/Prospector/parameters/getMany';
import { parseInteger } from '../../../nodes/Prospector/actions/fields/number';
import { checkSerializable } from '../../../nodes/Prospector/parameters/body/serializable';
import { checkResourceId } from '../../../nodes/Prospector/model/resourceId';
import { normalizeBaseUrl } from '../../../nodes/Prospector/parameters/credential/baseUrl';
import { decodePageToken } from '../../../nodes/Prospector/methods/position';
import type { UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import { parseConnection } from '../../../nodes/Prospector/parameters/credential/connection';
import { checkIdempotencyKey } from '../../../nodes/Prospector/transport/request/idempotencyKey';
import { waitTimeoutMessage, runFailedMessage } from '../../../nodes/Prospector/messages/runMessages';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { pageUrlProblem } from '../../../nodes/Prospector/parameters/credential/pageUrls';
import { callsByEndpoint, everyFailure, calls, status } from '../helpers/everyFailure';
import { CREDENTIAL_DATA, expectInvalid } from '../helpers/support';

const explained: Array<[string, UserMessage]> = [...callsByEndpoint, ...Object.entries(calls)].flatMap(
	([name, call]) =>
		everyFailure.map((failure): [string, UserMessage] => [
			`${name}: ${JSON.stringify(failure)}`,
			describeFailure(failure, call),
		]),
);

const id = (value: unknown) => expectInvalid(checkResourceId(value, 'Workflow'));
const key = (value: unknown) => expectInvalid(checkIdempotencyKey(value));
const url = (value: unknown) => expectInvalid(normalizeBaseUrl(value, false));
const json = (value: unknown) => expectInvalid(checkJsonObject(value));

const added = (...field: object[]) => expectInvalid(additionalValues({ field }));
const pageUrl = (runPageUrl: string) => pageUrlProblem({ showAdvanced: true, runPageUrl }) as UserMessage;

const circular: Record<string, unknown> = {};
circular.self = circular;
const tooDeep = JSON.parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)) as object;
const throwing = {
	toJSON() {
		throw new TypeError('no');
	},
};
const unserializable = [circular, tooDeep, throwing];

const checks: UserMessage[] = [
	...['', 'https://a.example', '..', 'x'.repeat(513), {}, [], true].map(id),
	...['', {}, 'x'.repeat(256), 'ä'].map(key),
	...['', 'a', 'ftp://a', 'https://a@b', 'https://a?b', 'http://a'].map(url),
	...['', 'Bearer a'].map((apiKey) => expectInvalid(parseConnection({ ...CREDENTIAL_DATA, apiKey }))),
	...['{', '[]', 'null', 4].map(json),
	expectInvalid(parseInteger('a', 'Limit', 1, 10)),
	expectInvalid(checkCursor(5)),
	...unserializable.map((values) => expectInvalid(checkSerializable(values, 'JSON'))),
	expectInvalid(decodePageToken(5)),
	...[undefined, { id: 'run_1' }, { id: 'run_1', idempotencyKey: 'key-1' }].flatMap((startedRun) => {
		const seen = { runId: 'run_1', status: 'brewing', requestId: 'req_77', startedRun };
		return [
			runFailedMessage(seen),
			waitTimeoutMessage(seen, 60_000),
			waitTimeoutMessage({ ...seen, status: '' }, 60_000),
		];
	}),
	...[[{}], [{ name: 'a' }, { name: 'a' }], [{ name: 'a', type: 'number', value: true }]].map((fields) =>
		added(...fields),
	),
	...['a', 'https://a', 'https://a/{id}', 'https://{run_id}'].map(pageUrl),
];

const all: Array<[string, UserMessage]> = [
	...explained,
	...checks.map((problem): [string, UserMessage] => [problem.message, problem]),
];

describe('every message', () => {
	test('is looked at', () => expect(all.length).toBeGreaterThan(400));

	test('blames nobody', () => {
		const loaded = /\b(errors?|problems?|failures?|mistakes?)\b/i;
		expect(all.filter(([, { message, description }]) => loaded.test(`${message} ${description}`))).toEqual(
			[],
		);
	});

	test('has the word by which n8n shows an execution as stopped only where it was stopped', () => {
		const saying = all.filter(([, { message, description }]) =>
			/cancell?ed/i.test(`${message} ${description}`),
		);
		expect(saying.map(([name]) => name)).toEqual(
			explained.map(([name]) => name).filter((name) => name.includes('"canceled"')),
		);
	});

	test('is one sentence without a full stop', () => {
		expect(all.filter(([, { message }]) => /[.\s]$|^\s|^$|\. [A-Z]|\n/.test(message))).toEqual([]);
	});

	test('begins with a capital letter or a field’s name', () => {
		expect(all.filter(([, { message }]) => !/^['A-Z]/.test(message))).toEqual([]);
	});

	test('comes with a description that begins with a capital letter', () => {
		expect(all.filter(([, { description }]) => !/^[A-Z]/.test(description))).toEqual([]);
	});

	test('has no gaps where something is not known', () => {
		const gap = /undefined|null|NaN|\[object|\(\)|''|\.\.|\. ?,| {2}/;
		const texts = explained.map(([name, { message, description }]) => [name, `${message} ${description}`]);
		expect(texts.filter(([, text]) => gap.test(text))).toEqual([]);
	});

	test('ends with the request id where there is one', () => {
		const withId = everyFailure.filter((failure) => 'requestId' in failure && failure.requestId);
		const messages = withId.flatMap((failure) =>
			callsByEndpoint.map(([, call]) => describeFailure(failure, call).message),
		);
		expect(messages.length).toBeGreaterThan(100);
		expect(messages.filter((message) => !message.endsWith(' (request req_77)'))).toEqual([]);
	});

	test('speaks of no request id where there is none', () => {
		expect(describeFailure(status(404), calls['a read']).message).not.toContain('(request');
	});
});
