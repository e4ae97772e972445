/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { run, type WorkflowFile } from '../../scripts/engine';
import { describeNodeType, LANGCHAIN } from '../nodes';
import { startEnvironment } from '../workflow/environment';
import { readExample } from './examples';

/**
 * A node that exports a page at a time.
 *
 * @param onPage called with the number of the page, from 1, before it is exported
 * @param toOutput returns what the node puts out for a page
 */
function exporter(
	onPage: (page: number) => unknown = () => {},
	toOutput: (page: IDataObject[]) => IDataObject[] = (page) => page,
) {
	const exported: IDataObject[] = [];
	let pages = 0;
	const type: INodeType = {
		description: describeNodeType('test.exporter'),
		async execute(this: IExecuteFunctions) {
			const page = this.getInputData().map(({ json }) => json);
			await onPage(++pages);
			exported.push(...page);
			return [toOutput(page).map((json) => ({ json }))];
		},
	};
	return { type, exported };
}

/** Starts the export on a sandbox without demo data, with nodes of this file in place of the database. */
async function startExport() {
	const n8nNodes = ['n8n-nodes-base', LANGCHAIN].map((name) => `test/n8n/node_modules/${name}`);
	const environment = await startEnvironment(
		{ defaultPageSize: 10 },
		{ seed: false, packages: ['.', ...n8nNodes] },
	);
	const { control, nodeTypes, credentials, close } = environment;
	// The example names this placeholder.
	await environment.addCredential('prospector', {});
	const workflow: WorkflowFile = { ...readExample('advanced/resumable-export.json'), id: 'example' };

	/** Replaces a node of the database by one that is not retried. */
	function replace(name: string, { description, ...type }: INodeType, typeName: string): void {
		nodeTypes.add(typeName, { ...type, description: { ...description, name: typeName } });
		const replaced = { type: typeName, typeVersion: 1, retryOnFail: false, credentials: undefined };
		workflow.nodes = workflow.nodes.map((node) => (node.name === name ? { ...node, ...replaced } : node));
	}
	replace('Create the table', exporter().type, 'test.table');
	const page = workflow.nodes.find(({ name }) => name === 'Export one page')!;
	/** Kept from night to night. */
	const staticData = {};
	return {
		control,
		workflow,
		/** Adds a Prospector workflow with a finished run for each number of results. */
		seed: (...results: number[]) =>
			control.seed({ workflows: results.map((count) => ({ runs: [{ results: count }] })) }),
		/** Executes the export as its schedule does. */
		async night(onNode?: (node: string, event: string) => void) {
			const subWorkflows = { example: workflow };
			const options = { nodeTypes, credentials, workflow, subWorkflows, staticData, onNode };
			const ended = await run({ ...options, mode: 'trigger' });
			return { ended, error: ended.data.resultData.error };
		},
		/** Replaces the database by an exporter, and shortens n8n's wait before Retry On Fail. */
		exportInto(...options: Parameters<typeof exporter>) {
			const { type, exported } = exporter(...options);
			replace('Add or update the results', type, 'test.exporter');
			page.waitBetweenTries = 1;
			return exported;
		},
		disableRetries: () => void (page.retryOnFail = false),
		close,
	};
}

// The end-to-end tests export into a real database, night after night.
let environment: Awaited<ReturnType<typeof startExport>>;
beforeEach(async () => {
	environment = await startExport();
});
afterEach(async () => await environment.close());

const sorted = (ids: unknown[]) => [...ids].sort();
const idsOf = (items: Array<{ id?: unknown }>) => sorted(items.map(({ id }) => id));

test.each(['newest', 'oldest', 'shuffled'] as const)(
	'the template resumable-export writes every result once if the lists have the order "%s"',
	async (listOrder) => {
		environment.control.patchSettings({ listOrder });
		const { results } = environment.seed(35, 1, 20);
		const exported = environment.exportInto();
		expect((await environment.night()).error).toBeUndefined();
		expect(idsOf(exported)).toEqual(sorted(results));
	},
);

test('the template resumable-export reads a changed run again even if the service uses unknown status names', async () => {
	const { control } = environment;
	control.patchSettings({ runStatuses: ['brewing', 'served'], runStageMs: 60_000 });
	control.seed({ workflows: [{ runs: [{ live: true, results: 12 }] }] });
	const exported = environment.exportInto();
	await environment.night();
	expect(exported).toEqual([]);
	control.advanceClock(60_000);
	await environment.night();
	await environment.night();
	expect(exported).toHaveLength(12);
});

test('the template resumable-export writes every result in one night even if the database node fails once', async () => {
	const { results } = environment.seed(35);
	const exported = environment.exportInto(
		(page) => {
			if (page === 3) throw new Error('The database is busy');
		},
		(page) => (page.length === 10 ? [] : [{ written: page.length }]),
	);
	expect((await environment.night()).error).toBeUndefined();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('the template resumable-export writes no page twice when it continues after n8n was killed', async () => {
	const { results } = environment.seed(40);
	let reachPage = () => {};
	const pageReached = new Promise<void>((resolve) => (reachPage = resolve));
	const exported = environment.exportInto(async (page) => {
		if (page !== 3) return;
		reachPage();
		await new Promise(() => {});
	});
	void environment.night();
	await pageReached;
	expect(exported).toHaveLength(20);
	await environment.night();
	expect(idsOf(exported)).toEqual(sorted(results));
});

test('the template resumable-export reads a run from the start again after the service has rejected the cursor for eight nights', async () => {
	const { results } = environment.seed(40);
	environment.disableRetries();
	let isDown = true;
	const exported = environment.exportInto((page) => {
		if (page === 3 && isDown) throw new Error('Not now');
	});
	await environment.night();
	isDown = false;
	// A cursor contains the order of the list.
	environment.control.patchSettings({ listOrder: 'oldest' });
	for (let night = 0; night < 8; night++) expect((await environment.night()).error).toBeDefined();
	expect((await environment.night()).error).toBeUndefined();
	expect(idsOf(exported.slice(20))).toEqual(sorted(results));
});

test('the template resumable-export needs no more memory for the last of 12 pages than for the first', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const { control } = environment;
	control.patchSettings({ defaultPageSize: 5 });
	const [runId] = environment.seed(0).runs;
	// 1 MB per page.
	const companyName = Buffer.alloc(200_000, 'x').toString();
	control.seed({ results: Array.from({ length: 60 }, () => ({ runId, companyName })) });
	const exported = environment.exportInto();
	const heap: number[] = [];
	const { ended, error } = await environment.night((node, event) => {
		if (node !== 'Export one page' || event === 'start') return;
		exported.length = 0;
		collectGarbage();
		heap.push(process.memoryUsage().heapUsed);
	});
	expect(error).toBeUndefined();
	// n8n saves this: a few small items per page.
	expect(JSON.stringify(ended.data).length).toBeLessThan(12 * 5000);
	// The smallest of four, because responses in flight count too.
	const [first, last] = [heap.slice(0, 4), heap.slice(8)].map((pages) => Math.min(...pages));
	expect(last - first).toBeLessThan(3 * 2 ** 20);
});
