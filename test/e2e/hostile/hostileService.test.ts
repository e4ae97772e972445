import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import { byId } from '../../nodes';
import {
	ENDLESS,
	list,
	one,
	startHostileService,
	type Answer,
	type HostileService,
	type Place,
} from '../../workflow/hostileService/service';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { manualWorkflow, type Saved } from '../n8n/workflows';
import { NEXT_POLL_TIMEOUT_MS, triggerWorkflow } from '../trigger/polling';

const ENDLESS_RESPONSES = ['101 without Upgrade', '101 with Upgrade', 'a body that arrives byte by byte'].map(
	(kind) => ENDLESS[kind],
);

/** A Prospector workflow with runs that tests add. Each run has one result, which has the ID of the workflow. */
function workspace() {
	const runs: IDataObject[] = [];
	const answer: Answer = (socket, request) => {
		const result = { id: 'wf_1', created_at: new Date().toISOString() };
		const run = runs.find(({ id }) => request.path.endsWith(`/runs/${String(id)}`));
		const response = run ? one(run) : list(request.path.endsWith('/runs') ? runs : [result]);
		response(socket, request);
	};
	const addRun = (id: string) => runs.push({ id, status: 'running', created_at: new Date().toISOString() });
	return { addRun, answer };
}

describe('A hostile service', () => {
	let e2e: Environment;
	let service: HostileService;
	let count = 0;
	beforeAll(async () => {
		service = await startHostileService();
		e2e = await startEnvironment();
	});
	afterAll(async () => {
		await service.close();
		await e2e.close();
	});

	/** Adds a Base URL with this behavior, and a credential with these advanced settings for it. */
	async function addPlace(
		answer: Answer,
		settings: ICredentialDataDecryptedObject = {},
	): Promise<Place & { credentials: NonNullable<INode['credentials']> }> {
		const place = service.place(answer);
		const apiKey = `key-${++count}`;
		const data = { apiKey, baseUrl: place.baseUrl, ...settings };
		const credentials = await e2e.credential(`hostile ${count}`, data);
		return { ...place, credentials };
	}

	const execute = async (credentials: INode['credentials'], parameters: IDataObject) =>
		await e2e.workflows.execute(manualWorkflow(e2e.prospector('Prospector', parameters, { credentials })));

	/** Activates a trigger for all workflows, and waits until its first poll has ended. */
	async function activate(
		credentials: INode['credentials'],
		parameters: IDataObject,
		place: Place,
	): Promise<Saved> {
		const { requests, sockets } = place;
		const saved = await e2e.workflows.create(
			triggerWorkflow('Trigger', { watch: 'all', ...parameters }, credentials),
		);
		const listRequests = () => requests.filter(({ path }) => path.endsWith('/runs')).length;
		const before = listRequests();
		await e2e.workflows.activate(saved);
		await eventually('the first poll', () => listRequests() > before && sockets.size === 0);
		return saved;
	}

	async function emittedIds({ id }: Saved): Promise<unknown[]> {
		const executions = await e2e.executions.of(id);
		const ended = await Promise.all(executions.map(async (each) => await e2e.executions.ended(each.id)));
		return ended.flatMap((execution) => jsonOf(execution, 'Trigger').map((item) => item.id));
	}

	const waitUntilEmitted = async (trigger: Saved, wanted: string) =>
		await eventually(wanted, async () => (await emittedIds(trigger)).includes(wanted), NEXT_POLL_TIMEOUT_MS);

	test('the trigger emits later runs after polls whose requests never end', async () => {
		await Promise.all(
			ENDLESS_RESPONSES.map(async (endless) => {
				const { addRun, answer } = workspace();
				const place = await addPlace(answer, { showAdvanced: true, requestTimeout: 2 });
				const parameters = { event: 'newRun' };
				const trigger = await activate(place.credentials, parameters, place);
				const { length: requestsBefore } = place.requests;
				place.answer(endless);
				await eventually('the next poll', () => place.requests.length > requestsBefore, NEXT_POLL_TIMEOUT_MS);
				addRun('run_1');
				place.answer(answer);
				await waitUntilEmitted(trigger, 'run_1');
				addRun('run_2');
				await waitUntilEmitted(trigger, 'run_2');
				expect(await emittedIds(trigger)).toEqual(['run_1', 'run_2']);
				await e2e.workflows.deactivate(trigger);
			}),
		);
	});

	test('a run with the ID __proto__ is read, listed and emitted, and n8n still works', async () => {
		const { addRun, answer } = workspace();
		const place = await addPlace(answer);
		const { credentials } = place;
		const triggers: Saved[] = [];
		for (const event of ['newRun', 'runStatusChanged', 'newResult']) {
			triggers.push(await activate(credentials, { event }, place));
		}
		addRun('__proto__');
		const get = { resource: 'run', operation: 'get', runId: byId('__proto__') };
		expect(jsonOf(await execute(credentials, get), 'Prospector')).toMatchObject([
			{ id: '__proto__', status: 'running' },
		]);
		const getMany = { resource: 'run', operation: 'getAll', workflowId: byId('wf_1'), returnAll: true };
		expect(jsonOf(await execute(credentials, getMany), 'Prospector')).toMatchObject([{ id: '__proto__' }]);

		await waitUntilEmitted(triggers[0], '__proto__');
		await waitUntilEmitted(triggers[1], '__proto__');
		await waitUntilEmitted(triggers[2], 'wf_1');
		expect((await execute(credentials, get)).status).toBe('success');
	});
});
