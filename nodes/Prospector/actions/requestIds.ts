import type { ItemContext } from './operation';

/** The custom data of an execution, as all n8n versions offer it. */
interface CustomDataStore {
	set(key: string, value: string): void;
	getAll(): Record<string, string>;
}

/** n8n's context of an execution and its retries, shared by all Prospector nodes. */
interface FlowContext {
	/** The entries that these nodes have set. */
	prospectorRequestIds?: Record<string, string>;
	/** Whether the log says that there is no room. */
	prospectorRequestIdsFull?: boolean;
}

/** n8n keeps ten entries per execution. The other half is left to users. */
const KEYS = [
	'prospector_request_id',
	'prospector_request_id_2',
	'prospector_request_id_3',
	'prospector_request_id_4',
	'prospector_request_id_5',
] as const;
/** n8n accepts longer values only with a warning. */
const MAX_VALUE_LENGTH = 255;

/**
 * Saves a request ID as custom data of the execution. Several IDs share an entry, with a space in between, because n8n's
 * list finds parts of values. Never throws: at worst it adds a line to the log.
 */
export function saveRequestId({ context, itemIndex }: ItemContext, requestId: string): void {
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
		const saved = customData.getAll();
		for (const key of KEYS) {
			const current = saved[key];
			const isOfUser = current !== undefined && current !== own[key];
			if (isOfUser) continue;
			if (` ${current} `.includes(` ${requestId} `)) return;
			const value = current === undefined ? requestId : `${current} ${requestId}`;
			if (value.length > MAX_VALUE_LENGTH) continue;
			customData.set(key, value);
			// n8n silently ignores entries beyond its maximum.
			if (customData.getAll()[key] !== value) break;
			own[key] = value;
			return;
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
