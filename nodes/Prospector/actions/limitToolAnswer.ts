import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** An AI agent sends the whole answer to its model. Counted as n8n writes it: as JSON, within JSON. */
export const MAX_ANSWER_BYTES = 50_000;
/** The rest is for the note, and for the brackets around the items. */
const MAX_BYTES_OF_ALL_ITEMS = MAX_ANSWER_BYTES - 1000;
/** More than any ID. */
const MAX_ID_LENGTH = 300;

/** The list that a tool returns. */
export interface Answer {
	/** Position of the first item in its list, from 1. */
	startAt: number;
	/** Whether the list has further items behind the last one. */
	hasMore: boolean;
	/** The run whose results these are, if another call of this tool would not return the next ones. */
	runId?: string;
}

/**
 * Returns as many whole items as an answer of a tool may have, and a note about the others as the last item. An item
 * that is too large by itself becomes a note with its ID.
 */
export function limitToolAnswer(items: INodeExecutionData[], answer: Answer): INodeExecutionData[] {
	let bytesLeft = MAX_BYTES_OF_ALL_ITEMS;
	const keptItems: INodeExecutionData[] = [];
	for (const { json, pairedItem } of items) {
		const fittingItem = sizeInBytes(json) > MAX_BYTES_OF_ALL_ITEMS ? buildItemPlaceholder(json) : json;
		bytesLeft -= sizeInBytes(fittingItem);
		if (bytesLeft < 0)
			return [...keptItems, { json: buildNote(items.length, keptItems.length, answer), pairedItem }];
		keptItems.push({ json: fittingItem, pairedItem });
	}
	return keptItems;
}

/** With a comma. */
const sizeInBytes = (item: IDataObject) => Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - 1;

const buildItemPlaceholder = ({ id }: IDataObject): IDataObject => ({
	...(typeof id === 'string' && { id: id.slice(0, MAX_ID_LENGTH) }),
	note: "This item was left out, because it is too large for a tool's answer.",
});

function buildNote(itemCount: number, keptCount: number, { startAt, hasMore, runId }: Answer): IDataObject {
	const nextPosition = startAt + keptCount;
	const totalText = `${hasMore ? 'more than ' : ''}${startAt - 1 + itemCount}`;
	const instruction =
		runId === undefined
			? 'For the next ones, call this tool again with'
			: `Do not start another run. For the next ones, use a tool that gets many results, with the run ID '${runId.slice(0, MAX_ID_LENGTH)}' and`;
	return {
		note: `These are items ${startAt} to ${nextPosition - 1} of ${totalText}. ${instruction} Start At = ${nextPosition}.`,
	};
}
