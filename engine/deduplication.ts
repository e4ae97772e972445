import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, DeduplicationScope, ICheckProcessedContextData } from 'n8n-workflow';

const seen = new Map<string, Set<DeduplicationItemTypes>>();

/** The memory behind n8n's Remove Duplicates node, which n8n keeps in its database; here in this process. */
const inMemory = {
	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	) {
		const known = memoryOf(scope, context);
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
		items.forEach((item) => memoryOf(scope, context).delete(item));
	},
	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		memoryOf(scope, context).clear();
	},
	async getProcessedDataCount(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		return memoryOf(scope, context).size;
	},
};

function memoryOf(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) {
	const place = scope === 'node' ? `${workflow.id}/${node?.name}` : `${workflow.id}`;
	const known = seen.get(place) ?? new Set();
	seen.set(place, known);
	return known;
}

let ready: Promise<void> | undefined;

/** Lets the Remove Duplicates node remember items over executions. */
export const installDeduplication = async () => await (ready ??= DataDeduplicationService.init(inMemory));

/** As if nothing had been executed before. */
export const clearDeduplication = () => seen.clear();
