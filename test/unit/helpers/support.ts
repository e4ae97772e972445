import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
} from 'n8n-workflow';
import { isInvalid, type Validated, type UserMessage } from '../../../nodes/Prospector/messages/userMessage';
import { createErrorFactory, type Client } from '../../../nodes/Prospector/transport/request/client';
import type { Connection } from '../../../nodes/Prospector/parameters/credential/connection';
import type { ApiRequest } from '../../../nodes/Prospector/transport/failure/failure';
import { createRedactor } from '../../../nodes/Prospector/transport/failure/redactSecrets';
import { rateLimiters } from '../../../nodes/Prospector/transport/rate/rateLimiters';
import type { HttpResponse, ApiResponse } from '../../../nodes/Prospector/transport/request/response';
import type { Clock } from '../../../nodes/Prospector/transport/retry/clock';

export const NODE: INode = {
	id: 'node-1',
	name: 'Prospector',
	type: 'n8n-nodes-prospector.prospector',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const KEY = 'pk_live_S3cret.key-1';
export const BASE = 'https://app.example.com';
export const CREDENTIAL_DATA: ICredentialDataDecryptedObject = { apiKey: KEY, baseUrl: BASE };
export const CONNECTION: Connection = {
	baseUrl: BASE,
	apiKey: KEY,
	redact: createRedactor(KEY),
	cursorParameter: 'cursor',
	pageSizeParameter: 'limit',
	pageUrls: {},
};

/** The words of a check that was not passed; fails the test where it was. */
export function expectInvalid<T>(checked: Validated<T>): UserMessage {
	if (isInvalid(checked)) return checked;
	throw new Error(`The check accepted ${JSON.stringify(checked.value)}`);
}

/** What something throws; fails the test where it throws nothing. */
export async function expectError(
	action: () => unknown,
): Promise<UserMessage & { httpCode?: string | null }> {
	try {
		await action();
	} catch (thrown) {
		return thrown as UserMessage;
	}
	throw new Error('Nothing was thrown');
}

export const httpResponse = (
	statusCode: number,
	body: unknown,
	headers: Record<string, unknown> = {},
): HttpResponse => ({
	statusCode,
	headers,
	body,
});

export const itemResponse = (data: unknown, rest: IDataObject = {}) =>
	httpResponse(200, { data, request_id: 'req_1', ...rest });

export const listResponse = (data: unknown, pagination: unknown = { has_more: false }, requestId = 'req_1') =>
	httpResponse(200, { data, pagination, request_id: requestId });

/** A list's page as the client hands it over. */
export const page = (
	ids: string[],
	nextCursor?: string,
	hasMore = nextCursor !== undefined,
): ApiResponse => ({
	data: ids.map((id) => ({ id })),
	requestId: `req of ${ids.join()}`,
	pagination: { nextCursor, hasMore },
});

/** A service that gives these answers in turn and notes what it was asked. */
export function fakeClient(answers: ApiResponse[], connection: Partial<Connection> = {}) {
	const calls: ApiRequest[] = [];
	const whole = { ...CONNECTION, ...connection };
	const client: Client = {
		...createErrorFactory(NODE, whole),
		connection: whole,
		safeRequest: async (call) => await client.request(call),
		async request(call) {
			calls.push(call);
			const answer = answers[calls.length - 1];
			if (!answer) throw new Error(`Request ${calls.length} was not expected`);
			return answer;
		},
	};
	return { client, calls };
}

/** A clock that only moves when somebody sleeps on it. */
export function fakeTiming(onSleep: (slept: number[]) => boolean = () => true) {
	let now = 0;
	const slept: number[] = [];
	const timing: Clock = {
		now: () => now,
		async sleep(milliseconds) {
			slept.push(milliseconds);
			now += milliseconds;
			return onSleep(slept);
		},
	};
	return { timing, slept, pass: (milliseconds: number) => void (now += milliseconds) };
}

/** n8n's HTTP helper, giving these answers in turn; an exception among them is thrown. */
export function fakeHelper(answers: unknown[]) {
	// What one test's service refuses must not hold back the next one's requests.
	rateLimiters.clear();
	const requests: IHttpRequestOptions[] = [];
	const credentialsUsed: unknown[] = [];
	const httpRequestWithAuthentication = async (name: string, options: IHttpRequestOptions, rest: unknown) => {
		requests.push(options);
		if (requests.length > 100) throw new Error('Requests without end');
		credentialsUsed.push([name, rest]);
		const answer = answers[Math.min(requests.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	return { helpers: { httpRequestWithAuthentication }, requests, credentialsUsed };
}

interface ContextOptions {
	parameters?: IDataObject;
	input?: IDataObject[];
	credential?: ICredentialDataDecryptedObject;
	/** n8n's HTTP answers in turn. */
	answers?: unknown[];
	executionId?: string;
	resumeUrl?: unknown;
	runIndex?: number;
	/** Kept from an earlier execution. */
	memory?: IDataObject;
	instanceId?: string;
	/** Overrides of the context itself. */
	rest?: Record<string, unknown>;
}

/** As much of n8n's execution context as the node uses. */
export function fakeExecution(options: ContextOptions = {}) {
	const { parameters = {}, input = [{}], credential = CREDENTIAL_DATA, answers = [], memory = {} } = options;
	const { helpers, requests, credentialsUsed } = fakeHelper(answers);
	const hints: unknown[] = [];
	const log: string[] = [];
	const note = (text: string) => void log.push(text);
	const context = {
		getNode: () => NODE,
		getNodeParameter(name: string, _itemIndex: number, otherwise?: unknown) {
			const found = name
				.split('.')
				.reduce<unknown>((value, part) => (value as IDataObject | undefined)?.[part], parameters);
			return found === undefined ? otherwise : found;
		},
		getInputData: () => input.map((json) => ({ json })),
		getCredentials: async () => credential,
		getContext: () => memory,
		getExecutionId: () => options.executionId ?? 'execution-1',
		getInstanceId: () => options.instanceId ?? 'instance-1',
		getWorkflow: () => ({ id: 'workflow-1' }),
		getWorkflowDataProxy: () => ({
			$execution: { resumeUrl: options.resumeUrl },
			$runIndex: options.runIndex ?? 0,
		}),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints: (...given: unknown[]) => void hints.push(...given),
		logger: { info: note, warn: note },
		helpers,
		...options.rest,
	} as unknown as IExecuteFunctions;
	return { context, requests, credentialsUsed, hints, log, memory };
}

/** As much of n8n's editor context as the pickers use. */
export function fakeEditor(answers: unknown[], operation = 'create', credential = CREDENTIAL_DATA) {
	const { helpers, requests } = fakeHelper(answers);
	const context = {
		getNode: () => NODE,
		getCredentials: async () => credential,
		getCurrentNodeParameter: (name: string) => (name === 'operation' ? operation : undefined),
		helpers,
	} as unknown as ILoadOptionsFunctions;
	return { context, requests };
}
