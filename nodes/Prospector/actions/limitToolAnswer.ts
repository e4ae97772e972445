// Bounds what a tool answers to 50 KB. Called by the router last; the answer has whole items, and says how to get the
// others. Tests: test/unit/actions/readListPart.test.ts, test/workflow/toolAnswers.test.ts.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { hasValidId } from '../model/resource';
import type { Turns } from '../transport/turns';

/** Counted as an AI agent sends it to its model: as JSON within JSON (n8n-behaviour.md#ai-agents). */
const MAX_ANSWER_BYTES = 50_000;
/** The rest is for the note, and for the brackets around the items. */
export const MAX_BYTES_OF_ALL_ITEMS = MAX_ANSWER_BYTES - 5000;

/** A part of a list, and where the list continues. */
export interface ListPart {
	items: IDataObject[];
	/** Number of items in the whole list; undefined if unknown. */
	totalCount?: number;
	/** Whether the list has further items behind the last one. */
	hasMore: boolean;
	/** Returns the cursor for the items from an index on. */
	cursorFrom(index: number): string;
}

/** Where the items of a tool's answer come from, so that the model can get the others. */
export interface AnswerSource {
	/** Undefined if the answer is no list. */
	list?: ListPart;
	/** The run whose results these are, if the tool itself does not list results. */
	runId?: string;
}

/**
 * Returns as many whole items as an answer of a tool may have, and an item about the others as the last one. An item that
 * is too large by itself becomes a note with its ID.
 */
export async function limitToolAnswer(
	items: INodeExecutionData[],
	source: AnswerSource,
	turns: Turns,
): Promise<INodeExecutionData[]> {
	let bytesLeft = MAX_BYTES_OF_ALL_ITEMS;
	const keptItems: INodeExecutionData[] = [];
	for (const { json } of items) {
		if (turns.isOver()) await turns.next();
		const fittingItem = sizeInBytes(json) > MAX_BYTES_OF_ALL_ITEMS ? buildItemPlaceholder(json) : json;
		bytesLeft -= sizeInBytes(fittingItem);
		if (bytesLeft < 0) break;
		keptItems.push({ json: fittingItem });
	}
	const isComplete = keptItems.length === items.length && source.list?.hasMore !== true;
	return isComplete ? keptItems : [...keptItems, { json: buildNote(keptItems.length, source) }];
}

/** Bytes of an item in the answer, which is JSON within JSON, with the comma after it. */
export const sizeInBytes = (item: IDataObject) => Buffer.byteLength(JSON.stringify(JSON.stringify(item))) - 1;

const buildItemPlaceholder = (item: IDataObject): IDataObject => ({
	...(hasValidId(item) && { id: item.id }),
	note: "This item was left out, because it is too large for a tool's answer.",
});

function buildNote(returnedCount: number, { list, runId }: AnswerSource): IDataObject {
	const instruction =
		runId === undefined
			? 'For the next ones, call this tool again with the same values and'
			: `Do not start another run. For the next ones, call the tool that gets many results, with run '${runId}' and`;
	return {
		returned: returnedCount,
		total_known: list?.totalCount ?? null,
		next_cursor: list?.cursorFrom(returnedCount) ?? null,
		note: `There are more items. ${instruction} the Start Cursor in 'next_cursor'.`,
	};
}
