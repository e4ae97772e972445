import type { IExecuteFunctions } from 'n8n-workflow';
import { findSlot, type CustomData } from './tracing/customData';

/** As n8n offers it in all its versions. */
interface N8nCustomData {
	set(key: string, value: string): void;
	getAll(): CustomData;
}

/** What all Prospector nodes of an execution, and of its retries, know of what they stored. */
interface Memory {
	prospectorRequestIds?: CustomData;
	/** The log says once that there is no room. */
	prospectorRequestIdsFull?: boolean;
}

/** Stores a request id as custom data of the execution. Never throws: at worst there is a line in the log. */
export function saveRequestId(context: IExecuteFunctions, itemIndex: number, requestId: string): void {
	const notKept = (why: string) =>
		context.logger.warn(
			`${context.getNode().name}: the request ID ${requestId} was not saved with the execution, ${why}`,
			{ itemIndex },
		);
	try {
		const { $execution } = context.getWorkflowDataProxy(itemIndex);
		const customData = $execution?.customData as N8nCustomData | undefined;
		if (customData === undefined) return notKept('since this n8n offers no custom data');
		const memory = context.getContext('flow') as Memory;
		const ours = (memory.prospectorRequestIds ??= {});
		const place = findSlot(requestId, customData.getAll(), ours);
		if (place === 'kept') return;
		if (place !== 'full') {
			customData.set(place.key, place.value);
			// n8n ignores what goes beyond its number of entries, and says nothing.
			if (customData.getAll()[place.key] === place.value) {
				ours[place.key] = place.value;
				return;
			}
		}
		if (!memory.prospectorRequestIdsFull) notKept('since there is no room left, nor will others be');
		memory.prospectorRequestIdsFull = true;
	} catch (thrown) {
		notKept(`since n8n did not take it: ${String((thrown as Error | undefined)?.message)}`);
	}
}
