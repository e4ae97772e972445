import type { INodeProperties } from 'n8n-workflow';
import { ProspectorApi } from '../../../credentials/ProspectorApi.credentials';
import { allParameters } from '../../../nodes/Prospector/actions/operation';
import { resources } from '../../../nodes/Prospector/actions/resources';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { sanitizeMessage } from '../../../nodes/Prospector/messages/nodeErrors';
import { type Caller, UserError, type UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import type { Parameter } from '../../../nodes/Prospector/parameters/parameter';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { triggerParameters } from '../../../nodes/Prospector/trigger/settings';
import { everyFailure, requests, singleFailures } from '../helpers/everyFailure';
import { TURNS } from '../helpers/support';

interface Described extends UserMessage {
	isCanceled?: boolean;
	hasRequestId?: boolean;
}

const keep = (text: string) => text;
const callers: Caller[] = ['node', 'nodeWithoutRetry', 'tool', 'editor', 'poll'];
const list = { endpoint: endpoints.listWorkflows };
const startedRuns = [
	undefined,
	{ runId: 'run_1' },
	{ runId: 'run_1', idempotencyKey: 'key-1' },
	{ runId: 'run_1', runIdArgument: 'Run_ID' },
];

const messagesOfFailures = (): Described[] =>
	everyFailure.flatMap((failure) => {
		const rest = { isCanceled: failure.kind === 'canceled', hasRequestId: 'requestId' in failure };
		return [...Object.values(requests), list].flatMap((request) =>
			startedRuns.flatMap((startedRun) =>
				callers.map((caller): Described => {
					const failed = { failure, request, startedRun };
					return { ...describeFailure(failed, caller, keep), ...rest };
				}),
			),
		);
	});
const messagesOfCredentialTest = (): Described[] =>
	singleFailures.map((failure) => ({
		...describeFailure({ failure, request: { endpoint: endpoints.getIdentity } }, 'credentialTest', keep),
		isCanceled: failure.kind === 'canceled',
		hasRequestId: 'requestId' in failure,
	}));

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

/** Returns the message that a function throws, as n8n shows it. */
async function userMessageOf(action: () => unknown): Promise<Described[]> {
	try {
		await action();
		return [];
	} catch (thrown) {
		if (!(thrown instanceof UserError)) throw thrown; // eslint-disable-line @n8n/community-nodes/require-node-api-error -- not published
		const { message, description } = sanitizeMessage(thrown.userMessage, keep);
		return [{ message, description: description.replace(/\.$/, '') }];
	}
}

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
				const values = { getField: read, getOption: read, input: {}, isTool: false, turns: TURNS };
				described.push(...(await userMessageOf(async () => await parameter.read(values))));
			}
		}
	}
	return described;
}

let ofRequests: Described[];
let all: Described[];
let shown: string[];

// Before each test, so that a mutation test knows which tests execute a line.
beforeEach(async () => {
	ofRequests = [...messagesOfFailures(), ...messagesOfCredentialTest()];
	all = [...ofRequests, ...(await messagesOfParameters())];
	const texts = all.flatMap(({ message, description }) => [message, description]);
	shown = [...new Set([...texts, ...editorTexts])];
});

const editorTexts: string[] = [];
/** What a message can name: fields, resources, operations and choices. */
const labels = new Set<string>();
const TEXTS = 'displayName description placeholder action errorMessage singular plural'.split(' ');

/** Collects what the editor shows of a description. */
function collectTexts(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	const isChoice = 'value' in value && 'name' in value;
	for (const [name, entry] of Object.entries(value)) {
		if (typeof entry !== 'string') collectTexts(entry);
		else if (TEXTS.includes(name) || (isChoice && name === 'name')) {
			editorTexts.push(entry);
			if (['displayName', 'name'].includes(name)) labels.add(entry);
		}
	}
}
collectTexts([new Prospector().description, new ProspectorTrigger().description]);
collectTexts(new ProspectorApi().properties satisfies INodeProperties[]);

const violations = (isWrong: (text: string, described: Described) => boolean) =>
	all.filter((one) => isWrong(`${one.message}. ${one.description}`, one)).map(({ message }) => message);

test('each field or option that a message names in quotation marks exists in the editor', () => {
	const quoted = shown.flatMap((text) => [...text.matchAll(/'([A-Z][^']*)'/g)].map(([, name]) => name));
	expect(new Set(quoted).size).toBeGreaterThan(25);
	expect([...new Set(quoted)].filter((name) => !labels.has(name))).toEqual([]);
});

test('each operation (such as Run › Get) and option that a message names without quotation marks exists', () => {
	const named = shown.flatMap((text) => [
		...[...text.matchAll(/(?:to|use) (Once per \w+|Using \w+)/g)].map(([, name]) => name),
		...[...text.matchAll(/(\w+) › ([A-Z][\w ]*?)(?=[,.']| returns|$| with| can| before)/g)].flatMap(
			([, ...names]) => names,
		),
	]);
	expect(new Set(named).size).toBeGreaterThan(5);
	expect(named.filter((name) => !labels.has(name))).toEqual([]);
});

test('a message contains "canceled", which n8n looks for, only when the execution was canceled', () => {
	expect(violations((text, { isCanceled = false }) => /cancell?ed/i.test(text) !== isCanceled)).toEqual([]);
});

test('each message is one capitalized sentence without a full stop at its end', () => {
	const wrong = /[.\s]$|^\s|^$|\. [A-Z]|\n|^(?!n8n )[^'A-Z\d]/;
	expect(violations((_, { message }) => wrong.test(message))).toEqual([]);
	expect(violations((_, { description }) => !/^$|^[A-Z].*[^.\s]$/.test(description))).toEqual([]);
});

test('a message contains no gap or placeholder such as "undefined" if a detail is unknown', () => {
	const gap = /undefined|null\b|NaN|\[object|\(\)|''|\.\.(?!')|\. ?,| {2}/;
	expect(ofRequests.filter((one) => gap.test(`${one.message} ${one.description}`))).toEqual([]);
});

test('a message ends with the request ID if the response has a request ID, and does not ask for it otherwise', () => {
	const endsWithId = / \((?:.+, )?request req_77\)$/;
	const wrong = ofRequests.filter(
		({ message, description, hasRequestId = false }) =>
			hasRequestId !== endsWithId.test(message) || (!hasRequestId && /request ID/.test(description)),
	);
	expect(wrong).toEqual([]);
});
