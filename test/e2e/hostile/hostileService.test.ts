import type { IDataObject, INode, INodeCredentialTestResult } from 'n8n-workflow';
import { byId, node } from '../../nodes';
import {
	ENDLESS,
	hang,
	list,
	one,
	startHostileService,
	type Answer,
	type HostileService,
	type Place,
} from '../../workflow/hostileService/service';
import { PATIENT, startE2e, type E2e } from '../bench';
import { failureOf, jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { clicked, type Saved } from '../n8n/workflows';
import { NEXT_POLL_MS, POLL_TIMES } from '../trigger/polling';

/** What n8n needs to start an execution and to save its end. */
const OVERHEAD_MS = 5000;

let e2e: E2e;
let service: HostileService;
let count = 0;

/** A Base URL of the hostile service and a credential with a key of its own. */
async function placed(answer: Answer): Promise<Place & { credentials: NonNullable<INode['credentials']> }> {
	const place = service.place(answer);
	const name = `hostile ${++count}`;
	const credentials = await e2e.credential(name, { apiKey: `key-${count}`, baseUrl: place.baseUrl });
	return { ...place, credentials };
}

const readRun = (id: string, options: IDataObject = {}): IDataObject => ({
	...{ resource: 'run', operation: 'get', runId: byId(id) },
	options,
});

function workflowWith(credentials: INode['credentials'], parameters: IDataObject) {
	return clicked(e2e.prospector('Prospector', parameters, { credentials }));
}

function triggerWorkflow(credentials: INode['credentials'], parameters: IDataObject) {
	const trigger = node(
		'Trigger',
		'n8n-nodes-prospector.prospectorTrigger',
		{ pollTimes: POLL_TIMES, watch: 'all', ...parameters },
		{ credentials },
	);
	const seen = node('Seen', 'n8n-nodes-base.noOp', {});
	return {
		name: `Trigger ${++count}`,
		nodes: [trigger, seen],
		connections: { Trigger: { main: [[{ node: 'Seen', type: 'main' as const, index: 0 }]] } },
	};
}

/** Milliseconds that an execution took, by n8n's own word. */
function durationOf(execution: Execution): number {
	const { startedAt, stoppedAt } = execution as unknown as { startedAt: string; stoppedAt: string };
	return Date.parse(stoppedAt) - Date.parse(startedAt);
}

/** Activates an n8n workflow with a trigger, and waits until its first poll has read the (empty) list of runs. */
async function activate(saved: Saved, { requests, sockets }: Place): Promise<void> {
	const polled = () => requests.filter(({ path }) => path.endsWith('/runs')).length;
	const before = polled();
	await e2e.workflows.activate(saved);
	// n8n shows it as active before the poll is over.
	await eventually('the first poll', () => polled() > before && sockets.size === 0);
}

/** Ids of the runs that a trigger's workflow got, over all its executions. */
async function emitted({ id }: Saved): Promise<unknown[]> {
	const executions = await e2e.executions.of(id);
	const ended = await Promise.all(executions.map(async (each) => await e2e.executions.ended(each.id)));
	return ended.flatMap((execution) => jsonOf(execution, 'Trigger').map((run) => run.id));
}

const hasEmitted = async (workflow: Saved, runId: string) =>
	await eventually(`run ${runId}`, async () => (await emitted(workflow)).includes(runId), NEXT_POLL_MS);

/** A workspace with one Prospector workflow, runs that tests add, and a result of the workflow's id in each of them. */
function workspace(workflowId: string) {
	const runs: IDataObject[] = [];
	const answer: Answer = (socket, request) => {
		const { path } = request;
		const run = runs.find(({ id }) => path.endsWith(`/runs/${String(id)}`));
		const other = { id: workflowId, created_at: new Date().toISOString() };
		const found = run ? one(run) : list(path.endsWith('/runs') ? runs : [other]);
		found(socket, request);
	};
	return { runs, answer };
}

const endless: Array<[string, Answer]> = [
	'101 without Upgrade',
	'101 with Upgrade',
	'a body that arrives byte by byte',
].map((kind) => [kind, ENDLESS[kind]]);

describe('A hostile service', () => {
	beforeAll(async () => {
		service = await startHostileService();
		e2e = await startE2e();
	}, PATIENT);
	afterAll(async () => {
		await service.close();
		await e2e.close();
	});

	test.each(endless)(
		'a credential test ends with a message when the service sends %s',
		async (_, answer) => {
			const { credentials, baseUrl, sockets } = await placed(answer);
			const { id, name } = credentials.prospectorApi;
			const data = { apiKey: 'some-key', baseUrl };
			// Gives up after a minute.
			const result = await e2e.rest.post<INodeCredentialTestResult>('/rest/credentials/test', {
				credentials: { id, name, type: 'prospectorApi', data },
			});
			expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/^The /) });
			await eventually('all connections to close', () => sockets.size === 0, 5000);
		},
		PATIENT,
	);

	test.each(endless)(
		'an execution fails with a message at Request Timeout when the service sends %s',
		async (_, answer) => {
			const { credentials, sockets } = await placed(answer);
			const options = { requestTimeout: 2, maxWait: 0 };
			const saved = await e2e.workflows.create(workflowWith(credentials, readRun('run_1', options)));
			const ended = await e2e.executions.ended(await e2e.workflows.start(saved), 20_000);
			expect(ended.status).toBe('error');
			expect(failureOf(ended)).toMatch(/^The /);
			expect(durationOf(ended)).toBeLessThan(2000 + OVERHEAD_MS);
			await eventually('all connections to close', () => sockets.size === 0, 5000);
		},
		PATIENT,
	);

	test(
		'the trigger goes on after polls whose requests never end: it emits what has happened meanwhile',
		async () => {
			const watched = await Promise.all(
				endless.map(async ([, answer]) => {
					const { runs, answer: works } = workspace('wf_1');
					const place = await placed(works);
					const parameters = { event: 'newRun', options: { requestTimeout: 2 } };
					const saved = await e2e.workflows.create(triggerWorkflow(place.credentials, parameters));
					await activate(saved, place);
					return { runs, works, hostile: answer, place, saved, before: place.requests.length };
				}),
			);
			for (const { place, hostile } of watched) place.answer(hostile);
			await Promise.all(
				watched.map(async ({ runs, works, place, saved, before }) => {
					await eventually('the next poll', () => place.requests.length > before, NEXT_POLL_MS);
					runs.push({ id: 'run_1', status: 'queued', created_at: new Date().toISOString() });
					place.answer(works);
					await hasEmitted(saved, 'run_1');
					runs.push({ id: 'run_2', status: 'queued', created_at: new Date().toISOString() });
					await hasEmitted(saved, 'run_2');
					expect(await emitted(saved)).toEqual(['run_1', 'run_2']);
					await e2e.workflows.deactivate(saved);
				}),
			);
		},
		4 * NEXT_POLL_MS,
	);

	test(
		'an execution ends within its Max Wait while the first request with the same key hangs',
		async () => {
			const ok = one({ id: 'run_1', status: 'completed' });
			const { credentials, requests } = await placed((socket, request) =>
				(request.number === 1 ? hang : ok)(socket, request),
			);
			const first = await e2e.workflows.create(workflowWith(credentials, readRun('run_1')));
			const hanging = await e2e.workflows.start(first);
			await eventually('the first request', () => requests.length === 1);
			const second = await e2e.workflows.create(workflowWith(credentials, readRun('run_1', { maxWait: 5 })));
			const ended = await e2e.executions.ended(await e2e.workflows.start(second), 90_000);
			expect(durationOf(ended)).toBeLessThan(5000 + OVERHEAD_MS);
			expect(ended.status === 'success' || failureOf(ended)).toBeTruthy();
			await e2e.executions.stop(hanging);
			expect((await e2e.executions.ended(hanging)).status).toBe('canceled');
		},
		PATIENT,
	);

	test(
		'a run with the id __proto__ is a run like any other, and n8n goes on',
		async () => {
			const { runs, answer } = workspace('wf_1');
			const place = await placed(answer);
			const { credentials } = place;
			const triggers: Saved[] = [];
			for (const event of ['newRun', 'runStatusChanged', 'newResult']) {
				const saved = await e2e.workflows.create(triggerWorkflow(credentials, { event }));
				await activate(saved, place);
				triggers.push(saved);
			}
			runs.push({ id: '__proto__', status: 'running', created_at: new Date().toISOString() });

			const got = await e2e.workflows.execute(workflowWith(credentials, readRun('__proto__')));
			expect(jsonOf(got, 'Prospector')).toMatchObject([{ id: '__proto__', status: 'running' }]);
			const many = { resource: 'run', operation: 'getAll', workflowId: byId('wf_1'), returnAll: true };
			const listed = await e2e.workflows.execute(workflowWith(credentials, many));
			expect(jsonOf(listed, 'Prospector').map(({ id }) => id)).toEqual(['__proto__']);

			await hasEmitted(triggers[0], '__proto__');
			await hasEmitted(triggers[1], '__proto__');
			// Its only result has the id of the workflow.
			await hasEmitted(triggers[2], 'wf_1');

			await e2e.rest.logIn();
			const saved = await e2e.workflows.create(workflowWith(credentials, readRun('__proto__')));
			expect((await e2e.workflows.get(saved.id)).name).toBe('Under test');
			const ended = await e2e.executions.ended(await e2e.workflows.start(saved));
			expect(ended.status).toBe('success');
		},
		3 * NEXT_POLL_MS,
	);
});
