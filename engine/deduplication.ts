import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, DeduplicationScope, ICheckProcessedContextData } from 'n8n-workflow';

const seen = new Map<string, Set<DeduplicationItemTypes>>();

/** Stores the items of n8n's Remove Duplicates node in memory instead of n8n's database. */
const inMemory = {
	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	) {
		const known = seenItems(scope, context);
		const processed = items.filter((item) => known.has(item));
		const fresh = items.filter((item) => !known.has(item));
		fresh.forEach((item) => known.add(item));
		return { new: fresh, processed };
	},
	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	) {
		items.forEach((item) => seenItems(scope, context).delete(item));
	},
	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		seenItems(scope, context).clear();
	},
	async getProcessedDataCount(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		return seenItems(scope, context).size;
	},
};

function seenItems(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) {
	const key = scope === 'node' ? `${workflow.id}/${node?.name}` : `${workflow.id}`;
	const known = seen.get(key) ?? new Set();
	seen.set(key, known);
	return known;
}

let installation: Promise<void> | undefined;

/** Makes the Remove Duplicates node work across executions. */
export const installDeduplication = async () =>
	await (installation ??= DataDeduplicationService.init(inMemory));

export const clearDeduplication = () => seen.clear();
