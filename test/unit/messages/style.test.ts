import type { IDataObject } from 'n8n-workflow';
import { allParameters } from '../../../nodes/Prospector/actions/operation';
import { resources } from '../../../nodes/Prospector/actions/resources';
import type { Place } from '../../../nodes/Prospector/messages/adviceMessages';
import { describeFailedTest } from '../../../nodes/Prospector/messages/nodeErrors';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import {
	noRunWithStatusMessage,
	nothingToShowMessage,
	runFailedMessage,
	unnamedRunMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../../../nodes/Prospector/messages/runMessages';
import { UserError, type UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import { parseConnection } from '../../../nodes/Prospector/parameters/credential/connection';
import { parsePageUrls } from '../../../nodes/Prospector/parameters/credential/pageUrls';
import type { ApiRequest } from '../../../nodes/Prospector/transport/request/apiRequest';
import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import { everyFailure, requests, singleFailures } from '../helpers/everyFailure';
import { CREDENTIAL_DATA } from '../helpers/support';

interface Described extends UserMessage {
	name: string;
	isCanceled?: boolean;
	/** A poll can't always advise something. */
	isPoll?: boolean;
}

const places: Place[] = ['node', 'tool', 'poll'];
/** One request per endpoint, with the IDs of its path. */
const byEndpoint = Object.values(endpoints).map((endpoint): ApiRequest => {
	const idNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	return { endpoint, ids: Object.fromEntries(idNames.map((name) => [name, 'id_1'])) };
});
const ofFailures = [...byEndpoint, ...Object.values(requests)].flatMap((request) =>
	everyFailure.flatMap((failure) =>
		places.map((place): Described => ({
			name: `${place}, ${request.endpoint.name}: ${JSON.stringify(failure)}`,
			isCanceled: failure.kind === 'canceled',
			isPoll: place === 'poll',
			...describeFailure(failure, request, place),
		})),
	),
);

/** A credential test sends one request without the rate limiter. */
const ofCredentialTest = singleFailures
	.filter((failure) => failure.throttledMs === undefined)
	.map((failure): Described => ({
		name: `credential test: ${JSON.stringify(failure)}`,
		isCanceled: failure.kind === 'canceled',
		...describeFailedTest(failure, { endpoint: endpoints.getIdentity }),
	}));
const ofRequests = [...ofFailures, ...ofCredentialTest];

const lastStatuses = [undefined, { id: 'run_1' }, { id: 'run_1', idempotencyKey: 'key-1' }].map(
	(startedRun) => ({ runId: 'run_1', status: 'brewing', requestId: 'req_77', startedRun }),
);
const ofRuns = [
	...lastStatuses.flatMap((last) => [
		runFailedMessage(last),
		waitTimeoutMessage(last, 60_000),
		waitTimeoutMessage({ ...last, status: '' }, 60_000),
	]),
	unnamedRunMessage('req_77'),
	nothingToShowMessage('run'),
	noRunWithStatusMessage(['done'], ['running']),
	noRunWithStatusMessage([], ['running']),
];

const circular: IDataObject = {};
circular.self = circular;
const tooDeep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
const VALUES: unknown[] = [
	...['', 'a', '..', 'ä\n', '{', '[]', 'null', '{"a":', 'https://a.example', 'x'.repeat(3000)],
	...['custom', 'json'],
	...[-1, 1.5, Number.NaN, 1e9, true, null, [], {}, { a: 1, id: 2 }, circular, tooDeep],
	...[{ mappingMode: 'defineBelow', value: null }, { value: { a: circular } }, { field: [{}] }],
	...[{ field: [{ name: 'a' }, { name: 'a' }] }, { field: [{ name: 'a', type: 'number', value: true }] }],
];

/** Returns the message that a function throws, if it throws one. */
function userMessageOf(action: () => unknown): UserMessage[] {
	try {
		action();
		return [];
	} catch (thrown) {
		if (thrown instanceof UserError) return [thrown.userMessage];
		throw thrown;
	}
}

/** Every parameter of every operation, with every value in each of its fields and options. */
const ofParameters = resources.flatMap(({ operations }) =>
	operations.flatMap((operation) =>
		Object.values(allParameters(operation)).flatMap((parameter) =>
			VALUES.flatMap((value) =>
				['fields', 'json'].flatMap((other) => {
					const field = (name: string) => (name === 'enterValues' ? other : value);
					const option = (name: string) => (name === 'preventDuplicates' ? 'custom' : value);
					return userMessageOf(() => parameter.read({ field, option, hasOption: () => true, input: {} }));
				}),
			),
		),
	),
);

const ofCredentials = [
	...['', 'a', 'ftp://a', 'https://a@b', 'https://a?b', 'http://a'].map((baseUrl) => ({ baseUrl })),
	...['', 'Bearer a', 'x'.repeat(2049)].map((apiKey) => ({ apiKey })),
].flatMap((data) => userMessageOf(() => parseConnection({ ...CREDENTIAL_DATA, ...data })));
const ofPageUrls = ['a', 'https://a', 'https://a/{id}', 'https://{run_id}'].map(
	(runPageUrl) => parsePageUrls({ showAdvanced: true, runPageUrl }).issue as UserMessage,
);

const all: Described[] = [
	...ofRequests,
	{ name: 'wait', isCanceled: true, ...waitCanceledMessage('run_1') },
	...[...ofRuns, ...ofParameters, ...ofCredentials, ...ofPageUrls].map((one) => ({
		name: one.message,
		...one,
	})),
];
const violations = (isWrong: (text: string, described: Described) => boolean) =>
	all.filter((one) => isWrong(`${one.message}. ${one.description}`, one)).map(({ name }) => name);

describe('every message', () => {
	test('is covered', () => {
		expect(ofFailures.length).toBeGreaterThan(4000);
		expect(new Set(ofParameters.map(({ message }) => message)).size).toBeGreaterThan(30);
		expect([ofCredentials.length, ofPageUrls.filter(Boolean).length]).toEqual([9, 4]);
	});

	test('says what happened without blame', () => {
		const loaded = /\b(errors?|problems?|failures?|mistakes?)\b/i;
		expect(violations((text) => loaded.test(text))).toEqual([]);
	});

	test('contains "canceled", which n8n looks for, exactly if the execution was canceled', () => {
		expect(violations((text, { isCanceled = false }) => /cancell?ed/i.test(text) !== isCanceled)).toEqual([]);
	});

	test('is one sentence without a full stop, which begins with a capital letter or the name of a field', () => {
		const wrong = /[.\s]$|^\s|^$|\. [A-Z]|\n|^[^'A-Z]/;
		expect(violations((_, { message }) => wrong.test(message))).toEqual([]);
	});

	test('has a description that begins with a capital letter and has no full stop at its end', () => {
		expect(
			violations(
				(_, { description, isPoll }) =>
					!(isPoll ? /^$|^[A-Z].*[^.\s]$/ : /^[A-Z].*[^.\s]$/).test(description),
			),
		).toEqual([]);
	});

	test('has no gap where something is not known', () => {
		const gap = /undefined|null\b|NaN|\[object|\(\)|''|\.\.(?!')|\. ?,| {2}|, then retry, then/;
		expect(ofRequests.filter((one) => gap.test(`${one.message} ${one.description}`))).toEqual([]);
	});

	test('ends with the request ID if there is one', () => {
		expect(
			ofRequests.filter(
				({ name, message }) => name.includes('requestId') !== / \(request req_77\)$/.test(message),
			),
		).toEqual([]);
	});
});
