import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { UserError, type UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import type { Parameter } from '../../../nodes/Prospector/parameters/parameter';
import { createParameterReader } from '../../../nodes/Prospector/parameters/parameterReader';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import type { Connection } from '../../../nodes/Prospector/api/apiRequest';
import { Turns } from '../../../nodes/Prospector/transport/turns';
import type { HttpResponse } from '../../../nodes/Prospector/api/response';
import { fakeDependencies } from './fakeClock';

/** Their clock stands still, so that no turn ends. */
export const TURNS = new Turns({ now: () => 0 });

export const NODE: INode = {
	id: 'node-1',
	name: 'Prospector',
	type: 'n8n-nodes-prospector.prospector',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The tool that n8n derives from the node. */
export const TOOL: INode = { ...NODE, type: `${NODE.type}Tool` };

/** For `rest` of an execution: an AI agent calls the node. */
export const AS_TOOL = { getNode: () => TOOL };

export const KEY = 'pk_live_S3cret.key-1'; // eslint-disable-line @n8n/community-nodes/no-hardcoded-secrets -- not published
export const BASE = 'https://app.example.com';
export const API = `${BASE}/api/public/v1/prospector`;
/** With the white space that people paste. */
export const CREDENTIAL_DATA: ICredentialDataDecryptedObject = { apiKey: ` ${KEY}\n`, baseUrl: BASE };
export const CONNECTION: Connection = {
	baseUrl: BASE,
	apiKey: KEY,
	cursorParameter: 'cursor',
	pageSizeParameter: 'limit',
	timeoutMs: 60_000,
};

/** Returns what a function throws, after a UserError its message. Fails the test if nothing is thrown. */
export async function expectError(action: () => unknown): Promise<UserMessage> {
	try {
		await action();
	} catch (thrown) {
		return thrown instanceof UserError ? thrown.messageFor('node') : (thrown as UserMessage);
	}
	throw new Error('Nothing was thrown');
}

/** Returns rows of a table in which different values have the same result. */
export const rowsOf = <Result>(values: unknown[], result: Result) =>
	values.map((value): [unknown, Result] => [value, result]);

export const httpResponse = (
	statusCode: number,
	body: unknown,
	headers: Record<string, unknown> = {},
): HttpResponse => ({ statusCode, headers, body });

export const itemResponse = (data: unknown, rest: IDataObject = {}) =>
	httpResponse(200, { data, request_id: 'req_1', ...rest });

export const listResponse = (data: unknown, pagination: unknown = { has_more: false }, requestId = 'req_1') =>
	httpResponse(200, { data, pagination, request_id: requestId });

/** Returns a page of a list that continues at a cursor. */
export const pageResponse = (ids: string[], nextCursor?: string) =>
	listResponse(
		ids.map((id) => ({ id })),
		{ has_more: nextCursor !== undefined, next_cursor: nextCursor },
		`req of ${ids.join()}`,
	);

export type Answer = HttpResponse | Error | ((request: IHttpRequestOptions) => unknown);

/** n8n's HTTP helper with prepared answers, of which it repeats the last one. */
function fakeHelper(answers: Answer[]) {
	const requests: IHttpRequestOptions[] = [];
	const credentialsUsed: unknown[] = [];
	const httpRequestWithAuthentication = async (name: string, options: IHttpRequestOptions, rest: unknown) => {
		requests.push(options);
		if (requests.length > 5000) throw new Error('Endless requests');
		credentialsUsed.push([name, rest]);
		const answer = answers[Math.min(requests.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		return typeof answer === 'function' ? await answer(options) : answer;
	};
	return { helpers: { httpRequestWithAuthentication }, requests, credentialsUsed };
}

export interface ExecutionOptions {
	parameters?: object;
	/** Parameters that differ between the input items. */
	parametersOf?: (itemIndex: number) => object;
	input?: IDataObject[];
	credential?: object;
	answers?: Answer[];
	executionId?: string;
	resumeUrl?: unknown;
	runIndex?: number;
	/** The execution's context, which n8n passes on to retries. */
	memory?: IDataObject;
	/** Overrides of the context itself. */
	rest?: object;
}

/** Returns as much of n8n's execution context as the node uses. */
export function fakeExecution(options: ExecutionOptions = {}) {
	const { parameters = {}, input = [{}], credential, answers = [], resumeUrl } = options;
	const { memory = {} } = options;
	const { helpers, requests, credentialsUsed } = fakeHelper(answers);
	const hints: NodeExecutionHint[] = [];
	const log: string[] = [];
	const addLine = (line: string) => void log.push(line);
	const context = {
		getNode: () => NODE,
		getNodeParameter(name: string, itemIndex: number, fallback?: unknown) {
			const all: IDataObject = { ...parameters, ...options.parametersOf?.(itemIndex) };
			const value = all[name];
			return value === undefined ? fallback : value;
		},
		getInputData: () => input.map((json) => ({ json })),
		getCredentials: async () => ({ ...CREDENTIAL_DATA, ...credential }),
		getContext: (type: string) => (type === 'flow' ? memory : {}),
		getExecutionId: () => options.executionId ?? 'execution-1',
		getInstanceId: () => 'instance-1',
		getWorkflow: () => ({ id: 'workflow-1' }),
		getWorkflowDataProxy: () => ({ $execution: { resumeUrl }, $runIndex: options.runIndex ?? 0 }),
		getExecutionCancelSignal: () => undefined,
		getMode: () => 'trigger',
		getWorkflowSettings: () => ({}),
		continueOnFail: () => false,
		addExecutionHints: (...added: NodeExecutionHint[]) => void hints.push(...added),
		logger: { info: addLine, warn: addLine },
		helpers,
		...options.rest,
	} as unknown as IExecuteFunctions;
	return { context, requests, credentialsUsed, hints, log, memory };
}

/** Reads a parameter as the node does. */
export const readParameter = <T>(parameter: Parameter<T>, parameters: object, input: IDataObject = {}): T =>
	parameter.read(createParameterReader(fakeExecution({ parameters, input: [input] }).context, TURNS)(0));

/** Returns the resource that the path names, as the service does. */
function resourceResponse({ url }: IHttpRequestOptions) {
	const [, id] = /\/(?:runs|workflows)\/([^/?]+)$/.exec(url) ?? [];
	return itemResponse({ id: id === undefined ? 'x' : decodeURIComponent(id) });
}

interface NodeRun extends ExecutionOptions {
	/** Such as `workflow.get`. */
	operation: string;
	dependencies?: Dependencies;
}

/** Any part of the API key that would help to guess it. */
const PART_OF_KEY = KEY.slice(0, 6);

/**
 * Executes the node, from its parameters down to the HTTP requests and back. Fails the test if the API key appears
 * anywhere, or if a redirect would be followed.
 */
export async function executeNode({ operation, dependencies = fakeDependencies(), ...options }: NodeRun) {
	const [resource, name] = operation.split('.');
	const execution = fakeExecution({
		...options,
		// Without retries.
		parameters: { resource, operation: name, options: { retryFor: 0 }, ...options.parameters },
		answers: options.answers ?? [name === 'getAll' ? listResponse([]) : resourceResponse],
	});
	let output: INodeExecutionData[] = [];
	let error: Partial<UserMessage> = {};
	try {
		[output] = await new Prospector(dependencies).execute.call(execution.context);
	} catch (thrown) {
		error = thrown as UserMessage;
	}
	const { message, description } = error;
	const items = output.map(({ json }) => json);
	const { requests, hints, log } = execution;
	for (const { url, disableFollowRedirect, headers, qs } of requests) {
		expect(disableFollowRedirect).toBe(true);
		expect(JSON.stringify([url, headers, qs])).not.toContain(KEY);
	}
	expect(JSON.stringify([message, description, items, hints, log])).not.toContain(PART_OF_KEY);
	expect(`${message} ${description}`).not.toMatch(/\p{Cc}/u);
	return {
		...execution,
		error,
		message,
		description,
		output,
		items,
		urls: requests.map(({ url }) => new URL(url).href),
		queries: requests.map(({ qs }) => qs),
		headers: requests.map(({ headers }) => headers),
		bodies: requests.map(({ body }) => body as unknown),
	};
}

/** Returns as much of n8n's editor context as the lists use. */
export function fakeEditor(answers: Answer[], parameters: IDataObject, credential = {}) {
	const { helpers, requests } = fakeHelper(answers);
	const context = {
		getNode: () => NODE,
		getCredentials: async () => ({ ...CREDENTIAL_DATA, ...credential }),
		getCurrentNodeParameter: (name: string) => parameters[name],
		getTimezone: () => 'Europe/Amsterdam',
		helpers,
	} as unknown as ILoadOptionsFunctions;
	return { context, requests };
}
