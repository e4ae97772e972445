import '../../engine/environment';
import { run } from '../../engine';
import { readExample } from './examples';
import { credentialsFor, loadNodeTypes } from './support';

/** What the export left in memory. */
export interface Left {
	/** Whether the execution went well. */
	finished: boolean;
	/** Bytes of heap in use after each page, garbage collected. */
	heap: number[];
	/** Items in the execution's data, all nodes and all their runs together. */
	items: number;
	/** Characters that n8n would write into its database for the execution. */
	characters: number;
}

/** A process that executes the nightly export, unchanged, once: `exportProcess.ts <base URL> <API key>`. */
async function main([baseUrl, apiKey]: string[]): Promise<Left> {
	const workflow = { ...readExample('nightly-resumable-export.json'), id: 'example' };
	const nodeTypes = await loadNodeTypes();
	const heap: number[] = [];
	const { data, finished } = await run({
		nodeTypes,
		credentials: await credentialsFor(nodeTypes, baseUrl, apiKey),
		workflow,
		subWorkflows: { example: workflow },
		staticData: {},
		mode: 'trigger',
		onNode(node, event) {
			if (node !== 'Export one page' || event !== 'finish') return;
			globalThis.gc?.();
			heap.push(process.memoryUsage().heapUsed);
		},
	});
	const runs = Object.values(data.resultData.runData).flat();
	const items = runs.flatMap((one) => one.data?.main.flatMap((branch) => branch ?? []) ?? []).length;
	return { finished: finished === true, heap, items, characters: JSON.stringify(data).length };
}

void main(process.argv.slice(2)).then((left) => process.send?.(left, () => process.exit()));
