import { setTimeout } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { byId } from '../../nodes';
import { useEnvironment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { eventually } from '../../eventually';
import type { Saved } from '../n8n/workflows';
import { createDataTable, importTemplate, type DataTable } from './importTemplate';

/** The shortest wait, in seconds, that n8n keeps in its database is 65. */
const OVERDUE_WAIT = 66;
/** Long enough for n8n to restart after the other one. */
const LONG_WAIT = 130;

const END_TIMEOUT_MS = 200_000;

interface Scenario {
	/** Final status of the run. */
	status: string;
	/** Whether the schedule starts the execution, as in production, instead of the editor's button. */
	isScheduled?: boolean;
	/** Whether the template gives up after a minute instead of three days. */
	isImpatient?: boolean;
	/** Whether the first status check fails. */
	isInterrupted?: boolean;
	/** Whether the wait ends while n8n is down. */
	isOverdue?: boolean;
	/** If the execution fails: its message, after the ID of the run. */
	message?: RegExp;
}

const SCENARIOS: Record<string, Scenario> = {
	'the run finishes': { status: 'completed', isScheduled: true },
	'the run fails': { status: 'failed', message: /^ ended as 'failed' \(request req_\w+\)$/ },
	'the run takes too long': {
		...{ status: 'running', isImpatient: true },
		message: /^ has not ended in three days.* its status is 'running'/,
	},
	'the wait ends while n8n is down': { status: 'completed', isScheduled: true, isOverdue: true },
	'a status check fails': { status: 'completed', isInterrupted: true },
};

interface Started extends Scenario {
	workflowId: string;
	executionId: string;
	/** When it began to wait. */
	waitingSince: number;
}

describe('The template run-that-takes-hours', () => {
	const e2e = useEnvironment({ settings: { resultsPerRun: 3 }, ownN8n: {} });
	let table: DataTable;
	let started: Map<string, Started>;

	/** Imports the template, shortens its times, executes it, and returns when it waits. */
	async function start(title: string, scenario: Scenario): Promise<Started> {
		const companies = ['A', 'B', 'C'].map((letter) => ({
			companyName: letter,
			leadId: `${title} ${letter}`,
		}));
		const [workflowId] = e2e.control.seed({ workflows: [{ companies }] }).workflows;
		const { finalStatusByWorkflow: others } = e2e.control.state().settings;
		e2e.control.patchSettings({ finalStatusByWorkflow: { ...others, [workflowId]: scenario.status } });
		const { secret } = e2e.control.createKey({ name: workflowId });
		const { id, nodes } = await importTemplate(e2e, 'advanced/run-that-takes-hours.json', {
			credentials: await e2e.credential(title, { apiKey: secret }),
			parameters: {
				'Start the run': { workflowId: byId(workflowId) },
				'Add or update the lead': { dataTableId: table.reference },
				'Complete a new lead': { dataTableId: table.reference },
			},
		});
		const nodeOf = (name: string) => nodes.find((node) => node.name === name)!;
		const firstWait = scenario.isOverdue ? OVERDUE_WAIT : LONG_WAIT;
		const amount = `={{ $runIndex === 0 ? ${firstWait} : 1 }}`;
		Object.assign(nodeOf('Wait 15 minutes').parameters, { amount, unit: 'seconds' });
		if (scenario.isScheduled) {
			const interval = [{ field: 'seconds', secondsInterval: 20 }];
			nodeOf('Every morning at six').parameters = { rule: { interval } };
		}
		if (scenario.isImpatient) {
			const question = nodeOf('Asked for three days?');
			const text = JSON.stringify(question.parameters).replace("3, 'days'", "60, 'seconds'");
			question.parameters = JSON.parse(text) as typeof question.parameters;
		}
		const saved = await e2e.workflows.save({ id, nodes });
		const executionId = await (scenario.isScheduled ? startBySchedule(saved) : e2e.workflows.start(saved));
		await e2e.executions.reached(executionId, 'waiting');
		return { ...scenario, workflowId, executionId, waitingSince: Date.now() };
	}

	/** Activates an n8n workflow and deactivates it after the first execution has started. */
	async function startBySchedule(workflow: Saved): Promise<string> {
		await e2e.workflows.activate(workflow);
		const first = async () => (await e2e.executions.of(workflow.id)).at(0);
		const { id } = await eventually('an execution', first);
		await e2e.workflows.deactivate(workflow);
		return id;
	}

	beforeAll(async () => {
		table = await createDataTable(e2e);
		const starts = Object.entries(SCENARIOS).map(
			async ([title, scenario]) => [title, await start(title, scenario)] as const,
		);
		started = new Map(await Promise.all(starts));
		await e2e.n8n.kill();
		for (const { isInterrupted, workflowId } of started.values()) {
			const match = { keyName: workflowId, operation: 'getRun' } as const;
			// One status check with all its retries.
			if (isInterrupted) e2e.control.addFault({ match, kind: 'status', status: 503, times: 0 });
		}
		const { waitingSince } = [...started.values()].find(({ isOverdue }) => isOverdue)!;
		await setTimeout(waitingSince + OVERDUE_WAIT * 1000 - Date.now());
		await e2e.n8n.start();
	});

	const checksOf = ({ data }: Execution) => data?.resultData.runData['Check the run'] ?? [];

	test.each(Object.keys(SCENARIOS))(
		'a waiting execution of run-that-takes-hours.json continues and ends as documented when n8n is killed, restarts and %s',
		async (title) => {
			const { workflowId, executionId, isScheduled, isInterrupted, isOverdue, message } = started.get(title)!;
			const get = async () => await e2e.executions.get(executionId);
			if (isInterrupted) {
				await eventually('a check', async () => checksOf(await get()).length > 0, END_TIMEOUT_MS);
				e2e.control.clearFaults();
			}
			await eventually(
				'the end of the wait',
				async () => !['waiting', 'running'].includes((await get()).status),
				END_TIMEOUT_MS,
			);
			let execution = await e2e.executions.ended(executionId);
			// n8n continues such an execution while it starts, when data tables can't be used yet (tried in 2.41.1).
			if (isOverdue && execution.status === 'error') {
				expect(failureOf(execution)).toMatch(/Data table node but the module is disabled/);
				execution = { ...(await e2e.executions.retry(executionId)), mode: execution.mode };
			}
			const ends = [isScheduled ? 'trigger' : 'manual', message ? 'error' : 'success'];
			expect([execution.mode, execution.status]).toEqual(ends);
			expect(checksOf(execution).length).toBeGreaterThanOrEqual(isInterrupted ? 2 : 1);
			if (isInterrupted) expect(checksOf(execution)[0].data!.main[0]![0].json.error).toMatch(/503/);
			expect(e2e.control.runs().perWorkflow[workflowId]).toBe(1);
			const [{ id }] = e2e.runsOf(workflowId);
			if (message) expect(failureOf(execution)?.replace(`Run '${id}'`, '')).toMatch(message);
			const rows = (await table.rows()).filter((row) => row.run_id === id && row.workflow_id === workflowId);
			const stored = message ? [] : ['A', 'B', 'C'].map((letter) => `${title} ${letter}`);
			expect(rows.map((row) => row.lead_id).sort()).toEqual(stored);
		},
	);
});
