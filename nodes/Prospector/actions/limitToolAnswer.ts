import type { IDataObject } from 'n8n-workflow';

/** An AI agent sends the whole answer to its model. Counted as n8n writes it: as JSON, within JSON. */
export const MAX_ANSWER_BYTES = 50_000;
/** The rest is for the note, and for the brackets around the items. */
const MAX_ITEM_BYTES = MAX_ANSWER_BYTES - 1000;
/** More than any ID. */
const MAX_ID_LENGTH = 300;

export interface Answer {
	/** Position of the first item in its list, from 1. */
	startAt: number;
	/** Whether the list has further items behind the last one. */
	hasMore: boolean;
	/** Whether another call starts another run. */
	startsRun: boolean;
}

/**
 * Returns as many whole items as an answer of a tool may have, and a note about the others as the last item. An item
 * that is too large by itself becomes a note with its ID.
 */
export function limitToolAnswer(items: IDataObject[], answer: Answer): IDataObject[] {
	let bytesLeft = MAX_ITEM_BYTES;
	const kept: IDataObject[] = [];
	for (const item of items) {
		let [fitting, size] = [item, sizeOf(item)];
		if (size > MAX_ITEM_BYTES) {
			fitting = placeholderOf(item);
			size = sizeOf(fitting);
		}
		bytesLeft -= size;
		if (bytesLeft < 0) break;
		kept.push(fitting);
	}
	return kept.length < items.length ? [...kept, noteOf(items, kept.length, answer)] : kept;
}

/** In bytes, with a comma. */
const sizeOf = (item: IDataObject) => Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - 1;

const placeholderOf = ({ id }: IDataObject): IDataObject => ({
	...(typeof id === 'string' && { id: id.slice(0, MAX_ID_LENGTH) }),
	note: "This item was left out, because it is too large for a tool's answer.",
});

function noteOf(items: IDataObject[], kept: number, { startAt, hasMore, startsRun }: Answer): IDataObject {
	const total = `${hasMore ? 'more than ' : ''}${startAt - 1 + items.length}`;
	const next = startAt + kept;
	const range = `These are items ${startAt} to ${next - 1} of ${total}.`;
	const { run_id: runId } = items[0];
	if (!startsRun)
		return { note: `${range} For the next ones, call this tool again with Start At = ${next}.` };
	return {
		note: `${range} Do not start another run. For the next ones, use a tool that gets many results, with the run ID '${String(runId).slice(0, MAX_ID_LENGTH)}' and Start At = ${next}.`,
	};
}
