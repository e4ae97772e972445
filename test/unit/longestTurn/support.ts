/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { Readable } from 'node:stream';
import type { ICredentialTestFunctions, IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import type { Dependencies } from '../../../nodes/Prospector/transport/dependencies';
import { longestTurn } from '../../longestTurn';
import { minimumOfTen, slowdown } from '../../processorTime';
import { ActiveTrigger, MINUTE_MS, VirtualTime } from '../../simulator/activeTrigger';
import { fakeDependencies } from '../helpers/fakeClock';
import { AS_TOOL, CREDENTIAL_DATA, fakeEditor, fakeExecution, listResponse } from '../helpers/support';

export const MB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

export const repeat = (count: number, toText: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => toText(index)).join();
const list = (count: number, toFields: (index: number) => string) =>
	`{"data":[${repeat(count, (i) => `{"id":"item_${i}",${toFields(i)}}`)}],"pagination":{"has_more":false},"request_id":"req_1"}`;
const times = '"created_at":"2026-03-01T08:00:00Z","updated_at":"2026-03-01T08:00:00Z"';

export const LEADS = '4 MB of 18,900 leads';
export const EDITOR_LEADS = '1 MB of 4,700 leads';
export const RESOURCE = 'a resource of 1 MB';

const leadFields = (i: number) =>
	`"object":"lead",${times},"lead_id":"lead_${i}","company_name":"Company ${i}","city":"Graz","note":"${'x'.repeat(25)}"`;

/** Bodies of responses. */
export const CONTENTS: Record<string, () => string> = {
	[LEADS]: () => list(18_900, leadFields),
	[EDITOR_LEADS]: () => list(4_700, leadFields),
	[RESOURCE]: () => {
		const fields = repeat(9_900, (j) => `"field_${j}":"${'x'.repeat(85)}"`);
		return `{"data":{"id":"wf_1",${fields}},"request_id":"req_1"}`;
	},
	'100,000 items': () => list(100_000, () => '"a":0'),
	'210 items with 900 fields each': () =>
		list(210, (i) => repeat(900, (j) => `"f_${i}_${j}":"some value ${j}"`)),
	'items with 10,000 fields': () => list(8, (i) => repeat(9_900, (j) => `"f_${i}_${j}":${j}`)),
	'texts of 1 MB': () => list(30, () => `"name":"${'x'.repeat(MB - 100)}"`),
	'names that are slow to normalize': () => list(60, () => `"name":"${'\u0301\u0316'.repeat(100_000)}"`),
	'values on 900 levels': () => list(500, () => `"a":${'['.repeat(900)}${']'.repeat(900)}`),
	'numbers that become text': () => list(20_000, (i) => `"n":1e400,"m":${'9'.repeat(16)},"i":${i}`),
	'a text of 31 MB': () => list(1, () => `"name":"${'x'.repeat(31 * MB)}"`),
	'780,000 items': () => list(780_000, () => '"a":0'),
	'an object with 87,000 fields': () => list(1, () => repeat(87_000, (j) => `"field_${j}":"${j}"`)),
	'8 MB of brackets': () => '['.repeat(8 * MB),
	'8 MB of commas': () => `[${','.repeat(8 * MB)}`,
};

/** Delivers bytes as a socket does: in chunks, each in a turn of its own. */
const streamOf = (bytes: Buffer) =>
	Readable.from(
		(async function* () {
			for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
				await new Promise((resolve) => setImmediate(resolve));
				yield bytes.subarray(start, start + CHUNK_BYTES);
			}
		})(),
	);

/** Returns the longest turn in milliseconds: the minimum of up to ten measurements. */
export const longestOf = async (limitMs: number, task: (dependencies: Dependencies) => Promise<unknown>) =>
	await minimumOfTen(async () => {
		const longestMs = await longestTurn(async (turns) => await task({ ...fakeDependencies(), turns }));
		// On a busy machine, other threads of the processor slow the main thread down.
		return longestMs / (await slowdown());
	}, limitMs);

export const streamResponse = (body: string | Buffer) => ({
	...{ statusCode: 200, headers: {}, body: streamOf(Buffer.from(body)) },
});

export type Answer = (request: IHttpRequestOptions) => unknown;

/** Returns a service that answers with a content. */
export function answerWith(content: string): Answer {
	const body = Buffer.from(CONTENTS[content]());
	return () => streamResponse(body);
}

type Task = (answer: Answer, dependencies: Dependencies) => Promise<unknown>;

export const execute =
	(operation: string, parameters: IDataObject, rest?: object): Task =>
	async (answer, dependencies) => {
		const [resource, name] = operation.split('.');
		const all = { resource, operation: name, returnAll: true, options: { retryFor: 0 }, ...parameters };
		const { context } = fakeExecution({ parameters: all, answers: [answer], rest });
		return await new Prospector(dependencies).execute.call(context);
	};

const callEditor =
	(call: (methods: Prospector['methods'], context: never) => Promise<unknown>): Task =>
	async (answer, dependencies) =>
		await call(new Prospector(dependencies).methods, fakeEditor([answer], {}).context as never);

const filters = { sort: { creationTime: 'newestFirst' }, options: { status: 'done, completed' } };

export const TASKS: Record<string, Task> = {
	'Get Many': execute('result.getAll', { runId: 'run_1', simplify: true }),
	'Get Many of all fields': execute('result.getAll', { runId: 'run_1' }),
	'Get Many with Sort and Status': execute('run.getAll', { workflowId: 'wf_1', ...filters }),
	'Return One Page': execute('workflow.getAll', { options: { returnOnePage: true } }),
	'a tool': execute('result.getAll', { runId: 'run_1', output: 'raw' }, AS_TOOL),
	Get: execute('workflow.get', { workflowId: 'wf_1' }),
	Update: execute('workflow.update', { workflowId: 'wf_1', enterValues: 'json', jsonBody: '{}' }),
	'the search of Prospector workflows': callEditor(
		async ({ listSearch }, context) => await listSearch.searchWorkflows.call(context, 'company'),
	),
	'the search of runs': callEditor(
		async ({ listSearch }, context) => await listSearch.searchRuns.call(context),
	),
	'the mapper': callEditor(
		async ({ resourceMapping }, context) => await resourceMapping.getWorkflowFields.call(context),
	),
	'the credential test': async (answer, dependencies) => {
		const context = { helpers: { request: answer } } as unknown as ICredentialTestFunctions;
		const { prospectorApiTest } = new Prospector(dependencies).methods.credentialTest;
		return await prospectorApiTest.call(context, { data: CREDENTIAL_DATA } as never);
	},
	'the trigger in two polls': async (answer, { turns }) => {
		const time = new VirtualTime();
		time.dependencies.turns = turns;
		const send = async (request: IHttpRequestOptions) =>
			request.url.endsWith('/runs') ? answer(request) : listResponse([{ id: 'wf_1' }]);
		const trigger = new ActiveTrigger(time, send as never, {
			...{ event: 'newRun', watch: 'all' },
			options: { includeExisting: true, maxItems: 10_000, maxRequests: 100 } as never,
		});
		await trigger.activate();
		time.advance(MINUTE_MS);
		return await trigger.tick();
	},
};
