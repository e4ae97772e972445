import type { IDataObject } from 'n8n-workflow';
import { startScriptedModel, type ModelRequest, type Turn } from '../../agent/scriptedModel';
import { byId } from '../../nodes';
import { buildAgentWorkflow } from '../agent';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, jsonOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { atLeast } from '../n8n/target';
import { inputItems, manualWorkflow } from '../n8n/workflows';
import { createTrigger, nextPoll } from '../trigger/polling';

const PAGE = { kind: 'notJson', status: 401 } as const;

describe('What comes from outside, in a whole n8n', () => {
	let e2e: Environment;
	let workflowIds: string[];
	beforeAll(async () => (e2e = await startEnvironment({ settings: { resultsPerRun: 2 } })));
	beforeEach(() => {
		e2e.clearRequests();
		workflowIds = e2e.control.seed({ workflows: 3 }).workflows;
	});
	afterAll(async () => await e2e.close());

	const prospector = (operation: string, workflowId: unknown, options: IDataObject = {}) =>
		e2e.prospector('Prospector', {
			...{ resource: 'workflow', operation, workflowId: byId(workflowId), options },
		});
	const started = (workflowId: string) => e2e.control.runs().perWorkflow[workflowId] ?? 0;

	test('a page of a proxy does not end the wait for a started run', async () => {
		const [workflowId] = workflowIds;
		e2e.control.addFault({ ...PAGE, match: { operation: 'getRun' } });
		e2e.control.addFault({ ...PAGE, match: { operation: 'listResults' } });
		const ended = await e2e.workflows.execute(manualWorkflow(prospector('runAndGetResults', workflowId)));
		expect(failureOf(ended)).toBeUndefined();
		expect(jsonOf(ended, 'Prospector')).toHaveLength(2);
		expect(started(workflowId)).toBe(1);
	});

	test('a page of a proxy in a poll leads to no failed execution, and to no lost run', async () => {
		const [workflowId] = workflowIds;
		const parameters = { event: 'newRun', watch: 'one', workflowId: byId(workflowId) };
		const trigger = await createTrigger(e2e, e2e.sandbox, 'proxy', parameters);
		await e2e.workflows.activate(trigger);
		await nextPoll(e2e.sandbox, 'proxy');
		// The retries of a poll take 30 s at most.
		const fault = e2e.control.addFault({ ...PAGE, match: { keyName: 'proxy' }, times: 0 });
		const [runId] = e2e.control.seed({ runs: [{ workflowId }] }).runs;
		await eventually('some pages', () =>
			e2e.control.faults().some(({ id, fired }) => id === fault.id && fired > 2),
		);
		e2e.control.clearFaults();
		const executions = async () => await e2e.executions.of(trigger.id);
		await eventually('an execution', async () => (await executions()).length > 0, 100_000);
		const [execution, ...others] = await executions();
		expect(others).toEqual([]);
		expect(jsonOf(await e2e.executions.ended(execution.id), 'Trigger')).toMatchObject([{ id: runId }]);
		await e2e.workflows.deactivate(trigger);
	});

	test.each([
		[
			'an API key that was revoked',
			() => e2e.sandbox.keys.revoked,
			undefined,
			/not accepted.*Paste a current one/,
		],
		['a page of a proxy', () => e2e.sandbox.keys.full, { ...PAGE, times: 0 }, /in front.*Check 'Base URL'/],
	])(
		'a refused activation shows its cause and what to do, after %s',
		async (name, apiKey, fault, message) => {
			const credentials = await e2e.credential(name, { apiKey: apiKey() });
			const parameters = { event: 'newRun', watch: 'one', workflowId: byId(workflowIds[0]) };
			const trigger = await createTrigger(e2e, e2e.sandbox, `refused-${String(fault?.kind)}`, parameters);
			trigger.nodes[0].credentials = credentials;
			const { id, versionId } = await e2e.workflows.get(trigger.id);
			await e2e.workflows.save({ id, versionId, nodes: trigger.nodes, connections: trigger.connections });
			if (fault) e2e.control.addFault(fault);
			const shown = await e2e.workflows.refusedActivation(trigger);
			expect(shown).toMatch(message);
		},
	);

	test('the retry of a failed execution deletes what is left, and nothing twice', async () => {
		const items = inputItems(
			'Items',
			workflowIds.map((id) => ({ id })),
		);
		e2e.control.addFault({ match: { operation: 'deleteWorkflow' }, kind: 'status', status: 500, skip: 1 });
		const failed = await e2e.workflows.execute(
			manualWorkflow(items, prospector('delete', '={{ $json.id }}')),
		);
		expect(failureOf(failed)).toContain('status 500');
		const retried = await e2e.executions.retry(failed.id);
		expect(retried.status).toBe('success');
		expect(jsonOf(retried, 'Prospector')).toMatchObject(workflowIds.map((id) => ({ id, deleted: true })));
		const deletions = e2e
			.requests('deleteWorkflow')
			.map(({ path, committed }) => [path.split('/').pop(), committed]);
		const [first, second, third] = workflowIds;
		expect(deletions).toEqual([
			...[
				[first, true],
				[second, false],
			],
			...[
				[second, true],
				[third, true],
			],
		]);
	});

	const testWithEngineAgent = atLeast('2.0') ? test : test.skip;
	testWithEngineAgent(
		'AI Agent starts one run for each of three items if the model repeats its tool-call IDs',
		async () => {
			const [workflowId] = workflowIds;
			const model = await startScriptedModel();
			model.repeatToolCallId('call_0');
			const answer = ({ messages }: ModelRequest): Turn =>
				messages.some(({ role }) => role === 'tool') ? { say: 'Done' } : { calls: [{ tool: 'Start' }] };
			model.follow(...Array<typeof answer>(6).fill(answer));
			const tool = {
				...prospector('run', workflowId),
				...{ name: 'Start', type: 'n8n-nodes-prospector.prospectorTool' },
			};
			const workflow = await buildAgentWorkflow(e2e, model, tool, inputItems('Items', [{}, {}, {}]));
			const ended = await e2e.workflows.execute(workflow);
			await model.close();
			expect(failureOf(ended)).toBeUndefined();
			expect(started(workflowId)).toBe(3);
		},
	);
});
