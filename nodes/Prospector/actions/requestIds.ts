import type { IExecuteFunctions } from 'n8n-workflow';
import { quotable } from '../transport/failure/redactSecrets';
import { RequestError } from '../transport/failure/requestError';
import type { ApiRequest } from '../transport/request/apiRequest';
import { type ApiResponse, isFailure } from '../transport/request/response';
import type { ItemContext } from './operation';

/**
 * Sends a request and saves its request ID with the execution, also if the service refuses the request.
 *
 * @throws RequestError
 */
export async function requestAndSaveId(
	{ client, saveRequestId: save }: ItemContext,
	request: ApiRequest,
	isSaved: boolean,
): Promise<ApiResponse> {
	const { redact } = client.connection;
	const response = await client.safeRequest(request);
	const requestId = 'requestId' in response ? quotable(response.requestId ?? '', redact) : '';
	if (isSaved && requestId !== '') save(requestId);
	if (isFailure(response)) throw new RequestError(response, request, redact);
	return response;
}

type CustomData = Record<string, string>;

/** The custom data of an execution, as all n8n versions offer it. */
interface CustomDataStore {
	set(key: string, value: string): void;
	getAll(): CustomData;
}

/** n8n's context of an execution and its retries, shared by all Prospector nodes. */
interface FlowContext {
	/** The entries that these nodes have set. */
	prospectorRequestIds?: CustomData;
	/** Whether the log says that there is no room. */
	prospectorRequestIdsFull?: boolean;
}

/** Saves a request ID as custom data of the execution. Never throws: at worst it adds a line to the log. */
export function saveRequestId(context: IExecuteFunctions, itemIndex: number, requestId: string): void {
	const logSkipped = (reason: string) =>
		context.logger.warn(
			`${context.getNode().name}: the request ID ${requestId} was not saved with the execution, ${reason}`,
			{ itemIndex },
		);
	try {
		const { $execution } = context.getWorkflowDataProxy(itemIndex);
		const customData = $execution?.customData as CustomDataStore | undefined;
		if (customData === undefined) return logSkipped('since this n8n offers no custom data');
		const flow = context.getContext('flow') as FlowContext;
		const own = (flow.prospectorRequestIds ??= {});
		const slot = findSlot(requestId, customData.getAll(), own);
		if (slot === 'alreadySaved') return;
		if (slot !== 'noRoom') {
			customData.set(slot.key, slot.value);
			// n8n silently ignores entries beyond its maximum.
			if (customData.getAll()[slot.key] === slot.value) {
				own[slot.key] = slot.value;
				return;
			}
		}
		if (!flow.prospectorRequestIdsFull) {
			logSkipped(
				'because there is no room left; later request IDs of this execution will not be saved either',
			);
		}
		flow.prospectorRequestIdsFull = true;
	} catch (thrown) {
		logSkipped(`since n8n did not take it: ${String((thrown as Error | undefined)?.message)}`);
	}
}

type SlotKey = 'prospector_request_id' | `prospector_request_id_${number}`;

/** n8n keeps ten entries per execution. The other half is left to users. */
const MAX_ENTRIES = 5;
/** n8n accepts longer values only with a warning. */
const MAX_VALUE_LENGTH = 255;

/**
 * Finds an entry for a request ID. Several IDs share an entry, with a space in between, because n8n's list finds parts
 * of values.
 *
 * @param own the entries that these nodes have set; others are left alone
 */
function findSlot(
	requestId: string,
	all: CustomData,
	own: CustomData,
): { key: SlotKey; value: string } | 'alreadySaved' | 'noRoom' {
	for (let number = 1; number <= MAX_ENTRIES; number++) {
		const key: SlotKey = number === 1 ? 'prospector_request_id' : `prospector_request_id_${number}`;
		const current = all[key];
		if (current !== undefined && current !== own[key]) continue;
		if (` ${current} `.includes(` ${requestId} `)) return 'alreadySaved';
		const value = current === undefined ? requestId : `${current} ${requestId}`;
		if (value.length <= MAX_VALUE_LENGTH) return { key, value };
	}
	return 'noRoom';
}
