import { readFileSync } from 'node:fs';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeType,
	JsonObject,
} from 'n8n-workflow';
import type { Release } from '../setUp/platforms';

/**
 * One way to break the package, and the tests that must detect it. A breakage changes what the nodes exchange with n8n,
 * so it does not depend on the code inside the package.
 */
export interface Breakage {
	/** Completes "The node …". */
	what: string;
	/** Part of the name of the test file. */
	file: string;
	/** Regular expression for the titles of at least one test that fails and one that passes. */
	tests: string;
	/** The n8n in which the breakage shows. By default the newest. */
	release?: Release;
	/** Methods of n8n's context that the nodes get instead of the original ones. */
	context?: (original: IExecuteFunctions) => Record<string, unknown>;
	/** Returns a function that changes each request of one execution. */
	request?: () => (options: IHttpRequestOptions) => void;
	response?: (body: IDataObject) => void;
	item?: (item: INodeExecutionData) => void;
	failure?: (failure: JsonObject) => void;
	credentialTest?: (result: INodeCredentialTestResult) => void;
	/** Replaces the filter of a picker. */
	filter?: () => undefined;
}

/** Replaces fields such as `$execution` and `$runIndex`. */
const replaceProxyData = (original: IExecuteFunctions, fields: Record<string, unknown>) => ({
	getWorkflowDataProxy: (itemIndex: number) =>
		new Proxy(original.getWorkflowDataProxy(itemIndex), {
			get: (data, name) => (name in fields ? fields[name as string] : (data[name as string] as unknown)),
		}),
});

const LOST_RESPONSES = 'two responses are lost';

export const BREAKAGES: Breakage[] = [
	{
		what: 'sends another key when a failed execution is retried',
		...{ file: 'exactlyOnce/regular', tests: 'original n8n workflow|after two lost', release: '1.123' },
		context: () => ({ getContext: () => ({}) }),
	},
	{
		what: 'sends another key after its process was killed',
		...{ file: 'exactlyOnce/killed', tests: 'manual execution|custom key' },
		context: (original) => replaceProxyData(original, { $execution: {} }),
	},
	{
		what: 'sends the same key in all executions',
		...{ file: 'exactlyOnce/regular', tests: `two executions|${LOST_RESPONSES}` },
		context: (original) => ({
			...replaceProxyData(original, { $execution: {} }),
			getContext: () => ({ prospectorExecution: 'always the same' }),
			getExecutionId: () => 'always the same',
		}),
	},
	{
		what: 'sends the same key for all items',
		...{ file: 'exactlyOnce/regular', tests: `two executions|${LOST_RESPONSES}` },
		request: () => {
			let key: unknown;
			return ({ headers = {} }) => {
				key ??= headers['Idempotency-Key'];
				if (key !== undefined) headers['Idempotency-Key'] = key;
			};
		},
	},
	{
		what: 'sends the same key in all rounds of a loop',
		...{ file: 'exactlyOnce/regular', tests: `three rounds|${LOST_RESPONSES}` },
		context: (original) => replaceProxyData(original, { $runIndex: 0 }),
	},
	{
		what: 'reads only the first page of a list',
		...{ file: 'rest/operations', tests: 'every page|key for each item' },
		response: ({ pagination }) => {
			if (pagination) (pagination as IDataObject).has_more = false;
		},
	},
	{
		what: 'adds a field to the item of an error',
		...{ file: 'rest/operations', tests: 'On Error|every page' },
		item: ({ json }) => {
			if ('error' in json) json.itemIndex = 1;
		},
	},
	{
		what: 'does not output the request ID',
		...{ file: 'rest/operations', tests: 'every page|key for each item' },
		item: ({ json }) => {
			delete json.request_id;
		},
	},
	{
		what: 'emits items again',
		...{ file: 'trigger/restart', tests: 'before the activation|while n8n is stopped' },
		context: (original) => ({
			// Later polls get a copy of the first state.
			getWorkflowStaticData: (type: string) => {
				const state = original.getWorkflowStaticData(type);
				const copy = JSON.parse(JSON.stringify(state)) as IDataObject;
				return Object.keys(copy).length === 0 ? state : copy;
			},
		}),
	},
	{
		what: 'accepts an API key that lacks a scope',
		...{ file: 'rest/credential', tests: 'for the API key (full|leads_only)' },
		credentialTest: (result) => {
			if (result.message.includes('not allowed'))
				Object.assign(result, { status: 'OK', message: 'Connected' });
		},
	},
	{
		what: 'ignores the filter of a picker',
		...{ file: 'rest/editor', tests: 'match the filter|newest first' },
		filter: () => undefined,
	},
];

type Context = IExecuteFunctions;
type Call = (this: Context, ...args: unknown[]) => Promise<unknown>;

/** Returns a context that behaves like n8n's, except for the breakage. */
function breakContext(original: Context, { context, request, response }: Breakage): Context {
	const changeRequest = request?.();
	const send = original.helpers.httpRequestWithAuthentication;
	async function httpRequestWithAuthentication(
		this: Context,
		...[type, options, more]: Parameters<typeof send>
	) {
		changeRequest?.(options);
		const full = (await send.call(this, type, options, more)) as IN8nHttpFullResponse;
		if (!response) return full;
		const chunks: Buffer[] = [];
		for await (const chunk of full.body as AsyncIterable<Buffer>) chunks.push(chunk);
		const body = JSON.parse(Buffer.concat(chunks).toString()) as IDataObject;
		response(body);
		return { ...full, body };
	}
	return Object.assign(Object.create(original) as Context, {
		...context?.(original),
		helpers: Object.assign(Object.create(original.helpers) as Context['helpers'], {
			httpRequestWithAuthentication,
		}),
	});
}

/** Returns a node class that behaves like this one, except for the breakage whose index is in the file. */
export function breakNode(Original: new () => INodeType, indexFile: string): new () => INodeType {
	const current = (): Breakage | undefined => BREAKAGES[Number(readFileSync(indexFile, 'utf8'))];

	const breakCredentialTest = (call: Call): Call =>
		async function (this: Context, ...args) {
			const result = await call.apply(this, args);
			current()?.credentialTest?.(result as INodeCredentialTestResult);
			return result;
		};

	const breakCall = (call: Call): Call =>
		async function (this: Context, ...args) {
			const breakage = current();
			if (!breakage) return await call.apply(this, args);
			if (breakage.filter) args[0] = breakage.filter();
			try {
				const result = await call.apply(breakContext(this, breakage), args);
				if (breakage.item && Array.isArray(result)) result.flat().forEach(breakage.item);
				return result;
			} catch (error) {
				breakage.failure?.(error as JsonObject);
				throw error;
			}
		};

	return class {
		constructor() {
			const node = new Original();
			for (const name of ['execute', 'poll'] as const) {
				const call = node[name] as Call | undefined;
				if (call) Object.assign(node, { [name]: breakCall(call) });
			}
			for (const [kind, methods] of Object.entries(node.methods as Record<string, Record<string, Call>>)) {
				const breakMethod = kind === 'credentialTest' ? breakCredentialTest : breakCall;
				for (const [name, call] of Object.entries(methods)) methods[name] = breakMethod(call);
			}
			return node;
		}
	} as new () => INodeType;
}
