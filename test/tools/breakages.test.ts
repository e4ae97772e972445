import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../nodes/Prospector/ProspectorTrigger.node';
import { BREAKAGES, breakNode } from '../e2e/broken/breakages';

const KEYS = ['key 1', 'key 2'];

/** Describes everything that this node gets from n8n, in its output. */
class ExampleNode {
	methods = {
		credentialTest: {
			test: async () => ({ status: 'Error', message: 'It is not allowed to use Prospector' }),
		},
		listSearch: { search: async (filter?: string) => filter ?? 'everything' },
	};

	async execute(this: IExecuteFunctions) {
		const { helpers } = this;
		const requests: unknown[] = [];
		for (const key of KEYS) {
			const options = { body: '{}', headers: { 'Idempotency-Key': key }, disableFollowRedirect: true };
			const send = helpers.httpRequestWithAuthentication as unknown as (
				...args: unknown[]
			) => Promise<IDataObject>;
			const { body } = await send.call(this, 'prospectorApi', options);
			const page = body instanceof Readable ? JSON.parse((await body.toArray()).join('')) : body;
			requests.push(options, page);
		}
		const { $execution, $runIndex } = this.getWorkflowDataProxy(0);
		const context = this.getContext('node');
		const json = { requests, $execution, $runIndex, context, id: this.getExecutionId() };
		return [[{ json: { error: 'failed', request_id: 'req_1', ...json } }]];
	}

	async poll(this: IExecuteFunctions) {
		const state = this.getWorkflowStaticData('node');
		state.polls = Number(state.polls) + 1;
		throw Object.assign(new Error(), { description: 'It needs prospector.run' });
	}
}

/** Calls every function of the node, and returns the results and the state of the trigger. */
async function callAll(Node: new () => unknown) {
	const state = { polls: 1 };
	const context = {
		getWorkflowDataProxy: () => ({ $execution: { resumeUrl: 'url' }, $runIndex: 1 }),
		getContext: () => ({ saved: true }),
		getExecutionId: () => '7',
		getWorkflowStaticData: () => state,
		helpers: {
			httpRequestWithAuthentication: async () => ({
				body: Readable.from([Buffer.from(JSON.stringify({ pagination: { has_more: true } }))]),
			}),
		},
	} as unknown as IExecuteFunctions;
	const { execute, poll, methods } = new Node() as ExampleNode;
	const result = await execute.call(context);
	const failure = await poll.call(context).catch(({ description }: { description: string }) => description);
	const credentialTest = await methods.credentialTest.test();
	const entries = await methods.listSearch.search.call(context, 'filter');
	return structuredClone({ result, failure, credentialTest, entries, state });
}

describe('BREAKAGES', () => {
	let folder: string;
	beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'prospector-breakages-'))));
	afterAll(() => rmSync(folder, { recursive: true }));

	const breakWith = (index: number | string, Node: unknown = ExampleNode) => {
		const file = join(folder, 'index');
		writeFileSync(file, String(index));
		return breakNode(Node as new () => INodeType, file);
	};

	test('change nothing without an index', async () => {
		expect(await callAll(breakWith('none'))).toEqual(await callAll(ExampleNode));
	});

	test.each(BREAKAGES.map(({ what, file }, index) => [what, file, index] as const))(
		'change what a node exchanges with n8n, and name a test file: the node %s',
		async (_, file, index) => {
			expect(await callAll(breakWith(index))).not.toEqual(await callAll(ExampleNode));
			expect(existsSync(`test/e2e/${file}.test.ts`)).toBe(true);
		},
	);

	test.each([
		['Prospector', Prospector, 'execute', ['credentialTest', 'listSearch']],
		['ProspectorTrigger', ProspectorTrigger, 'poll', ['credentialTest', 'listSearch']],
	])('apply to %s', (_, Node, method, kinds) => {
		const [original, broken] = [new Node(), new (breakWith(0, Node))()] as unknown as Array<
			Record<string, never>
		>;
		expect(broken.description).toEqual(original.description);
		expect(broken[method]).not.toBe(original[method]);
		for (const kind of kinds) {
			const functions = (node: typeof original) => Object.values(node.methods[kind]);
			expect(functions(original).length).toBeGreaterThan(0);
			expect(functions(broken)).not.toEqual(functions(original));
		}
	});
});
