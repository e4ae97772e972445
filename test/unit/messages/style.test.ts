import { ProspectorApi } from '../../../credentials/ProspectorApi.credentials';
import { allParameters } from '../../../nodes/Prospector/actions/operation';
import { resources } from '../../../nodes/Prospector/actions/resources';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { sanitizeMessage } from '../../../nodes/Prospector/messages/nodeErrors';
import * as triggerMessages from '../../../nodes/Prospector/messages/triggerMessages';
import type { Caller, UserError, UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import type { Parameter } from '../../../nodes/Prospector/parameters/parameter';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { triggerParameters } from '../../../nodes/Prospector/trigger/settings';
import { everyFailure, requests } from '../helpers/everyFailure';
import { TURNS } from '../helpers/support';

interface Described extends UserMessage {
	isCanceled?: boolean;
	hasRequestId?: boolean;
}

const keep = (text: string) => text;
const callers: Caller[] = ['node', 'nodeWithoutRetry', 'tool', 'editor', 'trigger', 'poll'];
const startedRuns = [
	undefined,
	{ runId: 'run_1', start: { requestId: 'req_1', isUserKey: false } },
	{ runId: 'run_1', start: { requestId: 'req_1', isUserKey: false, idempotencyKey: 'key-1' } },
	{ runId: 'run_1', start: { requestId: 'req_1', isUserKey: false }, runIdArgumentName: 'Run_ID' },
];

const messagesOfFailures = (): Described[] =>
	everyFailure.flatMap((failure) => {
		const expected = { isCanceled: failure.kind === 'canceled', hasRequestId: 'requestId' in failure };
		const describeAs = (caller: Caller, request: ApiRequest, startedRun = startedRuns[0]) => ({
			...describeFailure({ failure, request, startedRun }, caller, keep),
			...expected,
		});
		return [
			describeAs('credentialTest', { endpoint: endpoints.getIdentity }),
			...[...Object.values(requests), { endpoint: endpoints.listWorkflows }].flatMap((request) =>
				startedRuns.flatMap((run) => callers.map((caller) => describeAs(caller, request, run))),
			),
		];
	});

/** Those with a description; the others are notes, which stand behind another message. */
const messagesOfTrigger = (): Described[] =>
	Object.values(triggerMessages)
		.map((one) => (typeof one === 'function' ? one('7' as never) : one))
		.filter((one) => typeof one !== 'string');

const tooDeep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
const VALUES: unknown[] = [
	...['', 'a', '..', 'ä\n', '{', '[]', 'https://a.example', 'x'.repeat(3000), 'key', 'json', 'several'],
	...[-1, 1.5, 1e9, true, null, [], {}, { a: 1, id: 2 }, tooDeep, { value: { a: tooDeep } }, { field: [{}] }],
	...['number', 'boolean', 'array', 'object'].map((type) => ({ field: [{ name: 'a', type, value: '{' }] })),
	...[
		{ status: {} },
		{ creationTime: 'a' },
		{ queryParameters: 5 },
		{ queryParameters: [{ name: 'a', value: {} }] },
	],
];
/** Values that make the node read the parameters that need them. */
const NEEDED: Array<Record<string, unknown>> = [
	{},
	{ enterValues: 'fields', waitForCompletion: true, watch: 'one', preventDuplicates: 'key' },
	{ enterValues: 'json', watch: 'several', returnAll: false, returnOnePage: true },
];

/** Reads every parameter of every operation and of the trigger, with every value in each of its fields and options. */
async function messagesOfParameters(): Promise<Described[]> {
	const operations = resources.flatMap((resource) => resource.operations);
	const parameters = [...operations.map(allParameters), triggerParameters].flatMap(
		Object.values<Parameter<unknown>>,
	);
	const described: Described[] = [];
	for (const parameter of parameters) {
		for (const value of VALUES) {
			for (const needed of NEEDED) {
				const read = (name: string) => (name in needed ? needed[name] : value);
				const options = Object.fromEntries((parameter.options ?? []).map(({ name }) => [name, read(name)]));
				const getField = (name: string) => (name === 'options' ? options : read(name));
				try {
					await parameter.read({ getField, input: {}, isTool: false, turns: TURNS });
				} catch (thrown) {
					// As n8n shows it.
					const { message, description } = sanitizeMessage((thrown as UserError).messageFor('node'), keep);
					described.push({ message, description: description.replace(/\.$/, '') });
				}
			}
		}
	}
	return described;
}

const TEXTS = 'displayName description placeholder action singular plural'.split(' ');

/** Returns what the editor shows, and what of it a message can name: fields, resources, operations and choices. */
function textsOfEditor() {
	const texts: string[] = [];
	const labels = new Set<string>();
	function collectFrom(value: unknown): void {
		if (typeof value !== 'object' || value === null) return;
		const isChoice = 'value' in value && 'name' in value;
		for (const [name, entry] of Object.entries(value)) {
			if (typeof entry !== 'string') collectFrom(entry);
			else if (TEXTS.includes(name) || (isChoice && name === 'name')) {
				texts.push(entry);
				if (['displayName', 'name'].includes(name)) labels.add(entry);
			}
		}
	}
	collectFrom([new Prospector().description, new ProspectorTrigger().description]);
	collectFrom(new ProspectorApi().properties);
	return { texts, labels };
}

const allMessages = async () => [
	...messagesOfFailures(),
	...messagesOfTrigger(),
	...(await messagesOfParameters()),
];

// Each test builds the messages itself, so that a mutation test knows which tests execute a line.
test('each field, option and operation (such as Run › Get) that a message names exists in the editor', async () => {
	const { texts, labels } = textsOfEditor();
	const shown = (await allMessages()).flatMap(({ message, description }) => [message, description]);
	const unique = [...new Set([...shown, ...texts])];
	const namesIn = (pattern: RegExp) =>
		unique.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, ...names]) => names));
	const quoted = namesIn(/'([A-Z][^']*)'/g);
	const unquoted = [
		...namesIn(/(?:to|use) (Once per \w+|Using \w+)/g),
		...namesIn(/(\w+) › ([A-Z][\w ]*?)(?=[,.']| returns|$| with| can| before)/g),
	];
	expect(new Set(quoted).size).toBeGreaterThan(25);
	expect(new Set(unquoted).size).toBeGreaterThan(5);
	expect([...quoted, ...unquoted].filter((name) => !labels.has(name))).toEqual([]);
});

const RULES: Record<string, (described: Described, text: string) => boolean> = {
	'"canceled", which n8n looks for, only when the execution was canceled': ({ isCanceled = false }, text) =>
		/cancell?ed/i.test(text) === isCanceled,
	'one capitalized sentence without a full stop at its end': ({ message }) =>
		!/[.\s]$|^\s|^$|\. [A-Z]|\n|^(?!n8n )[^'A-Z\d]/.test(message),
	'a capitalized description without a full stop at its end': ({ description }) =>
		/^$|^[A-Z].*[^.\s]$/.test(description),
	'no gap or placeholder such as "undefined" if a detail is unknown': (_, text) =>
		!/undefined|null\b|NaN|\[object|\(\)|(?<!no option )''|\.\.(?!')|\. ?,| {2}/.test(text),
	'the request ID at the end if the response has one': ({ message, hasRequestId = false }) =>
		/ \((?:.+, )?request req_77\)$/.test(message) === hasRequestId,
	'no advice about a request ID if the response has none': ({ description, hasRequestId }) =>
		hasRequestId === true || !description.includes('request ID'),
};

test('each message keeps the rules of the style', async () => {
	const violations = (await allMessages()).flatMap((described) => {
		const text = `${described.message}. ${described.description}`;
		return Object.keys(RULES)
			.filter((rule) => !RULES[rule](described, text))
			.map((rule) => `${rule}: ${text}`);
	});
	expect(new Set(violations)).toEqual(new Set());
});
