import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ProspectorApi } from '../../../credentials/ProspectorApi.credentials';
import { allParameters } from '../../../nodes/Prospector/actions/operation';
import { resources } from '../../../nodes/Prospector/actions/resources';
import type { Place } from '../../../nodes/Prospector/messages/adviceMessages';
import { buildHints, HintCollector } from '../../../nodes/Prospector/actions/hintCollector';
import {
	connectedMessage,
	connectedWithoutLinks,
	describeFailedTest,
	presentable,
} from '../../../nodes/Prospector/messages/nodeErrors';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import {
	missingStatusMessage,
	noRunWithStatusMessage,
	nothingToShowMessage,
	runFailedMessage,
	otherResourceMessage,
	unnamedMessage,
	wrongWorkflowMessage,
	waitCanceledMessage,
	waitTimeoutMessage,
} from '../../../nodes/Prospector/messages/runMessages';
import { UserError, type UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import { parseConnection } from '../../../nodes/Prospector/parameters/credential/connection';
import { parsePageUrls } from '../../../nodes/Prospector/parameters/credential/pageUrls';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { triggerParameters } from '../../../nodes/Prospector/trigger/settings';
import { everyFailure, requests, singleFailures } from '../helpers/everyFailure';
import { CREDENTIAL_DATA, executeNode } from '../helpers/support';

interface Described extends UserMessage {
	name: string;
	isCanceled?: boolean;
	/** A poll can't always advise something. */
	isPoll?: boolean;
}

const places: Place[] = ['node', 'tool', 'editor', 'poll'];
/** One request per endpoint, with the IDs of its path. */
const byEndpoint = Object.values(endpoints).map((endpoint): ApiRequest => {
	const idNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	return { endpoint, ids: Object.fromEntries(idNames.map((name) => [name, 'id_1'])) };
});
const run: ApiRequest = { endpoint: endpoints.getRun, ids: { run_id: 'run_1' } };
const variants: ApiRequest[] = [
	{ ...requests['POST with a key'], isUserKey: true },
	{ ...run, startedRun: { id: 'run_1' } },
	{ ...run, startedRun: { id: 'run_1', idempotencyKey: 'key-1' } },
];
const ofFailures = [...byEndpoint, ...Object.values(requests), ...variants].flatMap((request) =>
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

const startedRuns = [
	undefined,
	{ id: 'run_1' },
	{ id: 'run_1', idempotencyKey: 'key-1' },
	{ id: 'run_1', idempotencyKey: 'key-1', isUserKey: true },
];
const ofRuns = [
	...startedRuns.flatMap((startedRun) => {
		const last = { runId: 'run_1', status: 'brewing', requestId: 'req_77', startedRun };
		return [runFailedMessage(last), waitTimeoutMessage(last, 60_000), missingStatusMessage(last)];
	}),
	unnamedMessage('run', 'req_77'),
	unnamedMessage('workflow', 'req_77'),
	otherResourceMessage('run', 'run_1', 'run_2', 'req_77'),
	...[true, false].map((isUserKey) =>
		wrongWorkflowMessage({
			...{ runId: 'run_1', received: 'wf_2', requested: 'wf_1' },
			requestId: 'req_77',
			isUserKey,
		}),
	),
	nothingToShowMessage('run'),
	nothingToShowMessage('result'),
	noRunWithStatusMessage(['done'], ['running']),
	noRunWithStatusMessage([], ['running']),
];

const circular: IDataObject = {};
circular.self = circular;
const tooDeep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
const VALUES: unknown[] = [
	...['', 'a', '..', 'ä\n', '{', '[]', 'null', '{"a":', 'https://a.example', 'x'.repeat(3000)],
	...['key', 'json', 'several'],
	...[-1, 1.5, 1e9, true, null, [], {}, { a: 1, id: 2 }, circular, tooDeep],
	...[{ mappingMode: 'defineBelow', value: null }, { value: { a: circular } }, { field: [{}] }],
	...['number', 'boolean', 'array', 'object', 'string'].flatMap((type) =>
		['"x"', '{', Symbol('x')].map((value) => ({ field: [{ name: 'a', type, value }] })),
	),
	...[{ status: {} }, { sort: 'a' }, { queryParameters: 5 }, { queryParameters: { a: 1 } }],
	...[{ queryParameters: [{ name: 'a', value: {} }] }, { queryParameters: [{}] }],
	...[{ field: [{ name: 'a' }, { name: 'a' }] }, { field: [{ name: 'a', type: 'number', value: true }] }],
];

/** Returns the message that a function throws, if it throws one, as n8n shows it. */
function userMessageOf(action: () => unknown): UserMessage[] {
	try {
		action();
		return [];
	} catch (thrown) {
		if (thrown instanceof UserError) {
			const { message, description } = presentable(thrown.userMessage, (text) => text);
			return [{ message, description: description.replace(/\.$/, '') }];
		}
		throw thrown;
	}
}

/** Values that make the node read the parameters that need them. */
const NEEDED: IDataObject[] = [
	{},
	{
		enterValues: 'fields',
		waitForCompletion: true,
		watch: 'one',
		preventDuplicates: 'key',
		returnOnePage: true,
	},
	{ enterValues: 'json', waitForCompletion: true, watch: 'several', returnAll: false, returnOnePage: false },
];

/** Every parameter of every operation and of the trigger, with every value in each of its fields and options. */
const ofParameters = [
	...resources.flatMap(({ operations }) => operations.map(allParameters)),
	triggerParameters,
].flatMap((parameters) =>
	Object.values(parameters).flatMap((parameter) =>
		VALUES.flatMap((value) =>
			NEEDED.flatMap((needed) => {
				const read = (name: string) => (name in needed ? needed[name] : value);
				return userMessageOf(() => parameter.read({ field: read, option: read, input: {} }));
			}),
		),
	),
);

const ofCredentials = [
	...['', 'a', 'ftp://a', 'https://a@b', 'https://a?b', 'http://a'].map((baseUrl) => ({ baseUrl })),
	...['', 'Bearer a', 'x'.repeat(2049)].map((apiKey) => ({ apiKey })),
	{ showAdvanced: true, requestTimeout: 0 },
].flatMap((data) => userMessageOf(() => parseConnection({ ...CREDENTIAL_DATA, ...data })));
const ofPageUrls = ['a', 'https://a', 'https://a/{id}', 'https://{run_id}'].map(
	(runPageUrl) => parsePageUrls({ showAdvanced: true, runPageUrl }).issue as UserMessage,
);

const all: Described[] = [
	...ofRequests,
	{ name: 'wait', isCanceled: true, ...waitCanceledMessage('run_1') },
	...[...ofRuns, ...ofParameters, ...ofCredentials, ...ofPageUrls, connectedWithoutLinks(ofPageUrls[0])].map(
		(one) => ({ name: one.message, ...one }),
	),
];

/** Messages of values that do not go together. */
const PARAMETERS_OF_LIST: IDataObject[] = [
	{ filters: { sort: 'newestFirst' }, options: { returnOnePage: true } },
	{ filters: { queryParameters: [{ name: 'cursor', value: 'c' }] } },
	{ filters: { queryParameters: [{ name: 'limit', value: 1 }] } },
	{ operation: 'fly' },
];

beforeAll(async () => {
	for (const parameters of PARAMETERS_OF_LIST) {
		const list = { operation: 'run.getAll', parameters: { workflowId: 'wf_1', ...parameters } };
		const { message = '', description = '' } = await executeNode(list);
		all.push({ name: message, message, description: description.slice(0, -1) });
	}
});

const violations = (isWrong: (text: string, described: Described) => boolean) =>
	all.filter((one) => isWrong(`${one.message}. ${one.description}`, one)).map(({ name }) => name);

/** The texts of every hint. */
function hintTexts(): string[] {
	return [1, 2, 12].flatMap((count) => {
		const collector = new HintCollector();
		collector.unknownFields = { names: ['a'], known: ['id'] };
		collector.missingKeys = collector.truncatedLists = count;
		for (let i = 0; i < count; i++) {
			collector.withoutResults.set(`run_${i}`, 'done');
			collector.unfinished.set(`run_${i}`, 'new');
			const request = collector.stats.request();
			singleFailures.forEach((failure) => request.recordRetry(failure));
			request.startThrottle(0)(5000);
		}
		return buildHints(collector).map(({ message }) => message);
	});
}

const accesses = [true, false].flatMap((canRead) =>
	[true, false].flatMap((canRun) => [true, false].map((isReadOnly) => ({ canRead, canRun, isReadOnly }))),
);

const descriptions = [new Prospector(), new ProspectorTrigger()].map(({ description }) => description);
const credential = new ProspectorApi();
const TEXT_NAMES = [
	'displayName',
	'description',
	'placeholder',
	'action',
	'errorMessage',
	'singular',
	'plural',
];
const editorTexts: string[] = [];
/** What a message can name: fields, resources, operations and choices. */
const labels = new Set<string>();

/** Collects what the editor shows of a description. */
function collectTexts(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	const isChoice = 'value' in value && 'name' in value;
	for (const [name, entry] of Object.entries(value)) {
		if (typeof entry !== 'string') collectTexts(entry);
		else if (TEXT_NAMES.includes(name) || (isChoice && name === 'name')) {
			editorTexts.push(entry);
			if (['displayName', 'name'].includes(name)) labels.add(entry);
		}
	}
}
collectTexts([...descriptions, credential.properties satisfies INodeProperties[]]);

const shown = () => [
	...all.flatMap(({ message, description }) => [message, description]),
	...hintTexts(),
	...accesses.map(connectedMessage),
	...editorTexts,
];

describe('every text', () => {
	test('is covered', () => {
		expect(editorTexts.length).toBeGreaterThan(200);
		expect(labels.size).toBeGreaterThan(50);
		expect(hintTexts()).toHaveLength(3 * 7);
		expect([...labels]).toEqual(expect.arrayContaining(['Retry For (Seconds)', 'Request Timeout (Seconds)']));
	});

	test('has no name of an earlier version, and no word that sounds old', () => {
		const outdated =
			/Max Wait|Idempotency Key Mode|Additional Fields|Specify Body|Warn If|Save Request ID|\b(?:anew|shall)\b/i;
		expect(shown().filter((text) => outdated.test(text))).toEqual([]);
	});

	test('names in quotation marks only fields and choices that exist', () => {
		const quoted = shown().flatMap((text) => [...text.matchAll(/'([A-Z][^']*)'/g)].map(([, name]) => name));
		expect(new Set(quoted).size).toBeGreaterThan(30);
		expect([...new Set(quoted)].filter((name) => !labels.has(name))).toEqual([]);
	});

	test('names choices without quotation marks only if they exist', () => {
		const named = shown().flatMap((text) => [
			...[...text.matchAll(/(?:to|use) (Once per \w+|Using \w+)/g)].map(([, name]) => name),
			...[...text.matchAll(/(\w+) › ([A-Z][\w ]*?)(?=[,.']| returns|$| with| can)/g)].flatMap(
				([, ...names]) => names,
			),
		]);
		expect(new Set(named)).toEqual(
			new Set([
				'Once per Execution',
				'Once per Key',
				'Using JSON',
				'Run',
				'Get',
				'Get Many',
				'Result',
				'Workflow',
			]),
		);
		expect(named.filter((name) => !labels.has(name))).toEqual([]);
	});
});

describe('every message', () => {
	test('is covered', () => {
		expect(ofFailures.length).toBeGreaterThan(7000);
		expect(new Set(all.map(({ message, description }) => message + description)).size).toBeGreaterThan(400);
		expect(new Set(ofParameters.map(({ message }) => message)).size).toBeGreaterThan(60);
		expect([ofCredentials.length, ofPageUrls.filter(Boolean).length]).toEqual([10, 4]);
		expect(all.slice(-4).map(({ message }) => message)).toEqual([
			"'Status' and 'Sort' need the whole list",
			"'cursor' can't be in 'Query Parameters'",
			"'limit' can't be in 'Query Parameters'",
			"There is no operation 'fly' for the resource 'run'",
		]);
	});

	test('says what happened without blame', () => {
		const loaded = /\b(errors?|problems?|failures?|mistakes?)\b/i;
		expect(violations((text) => loaded.test(text))).toEqual([]);
	});

	test('contains "canceled", which n8n looks for, exactly if the execution was canceled', () => {
		expect(violations((text, { isCanceled = false }) => /cancell?ed/i.test(text) !== isCanceled)).toEqual([]);
	});

	test('is one sentence without a full stop, which begins with a capital letter or the name of a field', () => {
		const wrong = /[.\s]$|^\s|^$|\. [A-Z]|\n|^(?!n8n )[^'A-Z]/;
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
		const gap = /undefined|null\b|NaN|\[object|\(\)|''|\.\.(?!')|\. ?,| {2}|, then try again, then/;
		expect(ofRequests.filter((one) => gap.test(`${one.message} ${one.description}`))).toEqual([]);
	});

	test('ends with the request ID if there is one', () => {
		expect(
			ofRequests.filter(
				({ name, message }) => name.includes('requestId') !== / \((?:.+, )?request req_77\)$/.test(message),
			),
		).toEqual([]);
	});
});
