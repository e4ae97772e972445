import type { IWorkflowSettings } from 'n8n-workflow';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { atLeast } from '../n8n/target';
import type { Saved } from '../n8n/workflows';
import { importTemplate } from './importTemplate';

/** The shortest wait, in seconds, that n8n keeps in its database is 65. */
const LONG_WAIT = 66;

/** Limit of all execution timeouts, in seconds. Longer than one wait and shorter than two. */
const MAX_TIMEOUT = 90;

const END_TIMEOUT_MS = 200_000;

interface Started {
	executionId: string;
	prospectorWorkflow: string;
	run: () => { id: string; results: number };
}

interface Scenario {
	/** Final status of the run. */
	status?: string;
	/** Seconds, as a number or an expression. By default only the first wait is long. */
	wait?: number | string;
	/** Replaces "three days" by a time that is over after the first wait. */
	isImpatient?: boolean;
	/** Whether the schedule starts the execution, as in production, instead of the editor's button. */
	isScheduled?: boolean;
	settings?: IWorkflowSettings;
	credentials?: Environment['full'];
}

describe('The template run-that-takes-hours, with n8n killed during the wait', () => {
	let e2e: Environment;
	let tablePath: string;
	let table: string;
	let finishing: Started;
	let failing: Started;
	let endless: Started;
	let interrupted: Started;
	let tooLong: Started;
	let twoWaits: Started;

	async function seedWorkflow(name: string, status = 'completed'): Promise<string> {
		const companies = ['A', 'B', 'C'].map((each) => ({
			companyName: `${name} ${each}`,
			leadId: `${name}_${each}`,
		}));
		const [id] = e2e.control.seed({ workflows: [{ name, companies }] }).workflows;
		const { finalStatusByWorkflow } = e2e.control.state().settings;
		e2e.control.patchSettings({ finalStatusByWorkflow: { ...finalStatusByWorkflow, [id]: status } });
		return id;
	}

	/** Imports the template, shortens its times, executes it, and returns when it waits. */
	async function start(name: string, scenario: Scenario = {}): Promise<Started> {
		const {
			status,
			wait = `={{ $runIndex === 0 ? ${LONG_WAIT} : 1 }}`,
			isImpatient,
			isScheduled,
			settings,
		} = scenario;
		const prospectorWorkflow = await seedWorkflow(name, status);
		const { id, nodes, ...rest } = await importTemplate(e2e, 'advanced/run-that-takes-hours.json', {
			credentials: scenario.credentials ?? e2e.full,
			parameters: {
				'Start the run': { workflowId: byId(prospectorWorkflow) },
				'Add or update the lead': { dataTableId: byId(table) },
			},
		});
		const find = (wanted: string) => nodes.find((node) => node.name === wanted)!;
		Object.assign(find('Wait 15 minutes').parameters, { amount: wait, unit: 'seconds' });
		if (isScheduled) {
			const interval = [{ field: 'seconds', secondsInterval: 20 }];
			find('Every morning at six').parameters = { rule: { interval } };
		}
		if (isImpatient) {
			const parameters = JSON.stringify(find('Asked for three days?').parameters);
			find('Asked for three days?').parameters = JSON.parse(parameters.replace("3, 'days'", "60, 'seconds'"));
		}
		const saved = await e2e.workflows.save({ id, nodes, settings: { ...rest.settings, ...settings } });
		const executionId = await (isScheduled ? startBySchedule(saved) : e2e.workflows.start(saved));
		await eventually(
			`${name} to wait`,
			async () => (await e2e.executions.get(executionId)).status === 'waiting',
		);
		const run = () => e2e.control.runs().runs.find((each) => each.workflowId === prospectorWorkflow)!;
		return { executionId, prospectorWorkflow, run };
	}

	/** Activates an n8n workflow and deactivates it after the first execution has started. */
	async function startBySchedule(workflow: Saved): Promise<string> {
		await e2e.workflows.activate(workflow);
		const [{ id }] = await eventually('an execution', async () => {
			const executions = await e2e.executions.of(workflow.id);
			return executions.length > 0 && executions;
		});
		await e2e.workflows.deactivate(workflow);
		return id;
	}

	async function ended({ executionId, prospectorWorkflow }: Started): Promise<Execution> {
		const execution = await eventually(
			`the end of ${prospectorWorkflow}`,
			async () => {
				const { status } = await e2e.executions.get(executionId);
				return status !== 'waiting' && status !== 'running' && (await e2e.executions.ended(executionId));
			},
			END_TIMEOUT_MS,
		);
		expect(e2e.control.runs().perWorkflow[prospectorWorkflow]).toBe(1);
		return execution;
	}

	async function leadsOf({ run }: Started): Promise<string[]> {
		const { data } = await e2e.rest.get<{ data: Array<{ lead_id: string; run_id: string }> }>(
			`${tablePath}/rows?take=250`,
		);
		return data
			.filter((row) => row.run_id === run().id)
			.map((row) => row.lead_id)
			.sort();
	}

	const checksOf = ({ data }: Execution): number => data?.resultData.runData['Check the run']?.length ?? 0;

	beforeAll(async () => {
		e2e = await startEnvironment({
			settings: { resultsPerRun: 3 },
			ownN8n: { EXECUTIONS_TIMEOUT_MAX: String(MAX_TIMEOUT) },
		});
		const { id: project } = await e2e.rest.get<{ id: string }>('/rest/projects/personal');
		const columns = ['lead_id', 'company_name', 'run_id'].map((name) => ({ name, type: 'string' }));
		({ id: table } = await e2e.rest.post<{ id: string }>(`/rest/projects/${project}/data-tables`, {
			name: 'Leads',
			columns: [...columns, { name: 'found_at', type: 'date' }],
		}));
		tablePath = `/rest/projects/${project}/data-tables/${table}`;
		const { secret } = e2e.control.createKey({ name: 'interrupted' });

		const scheduled = start('finishing', { isScheduled: true });
		failing = await start('failing', { status: 'failed' });
		endless = await start('endless', { status: 'running', isImpatient: true });
		interrupted = await start('interrupted', {
			credentials: await e2e.credential('interrupted', { apiKey: secret }),
		});
		tooLong = await start('tooLong', { settings: { executionTimeout: 30 } });
		twoWaits = await start('twoWaits', {
			status: 'running',
			wait: LONG_WAIT,
			settings: { executionTimeout: 100_000 },
		});
		finishing = await scheduled;
		await e2e.n8n.kill();
		e2e.control.addFault({
			match: { keyName: 'interrupted', operation: 'getRun' },
			kind: 'status',
			status: 503,
			times: 0,
		});
		await e2e.n8n.start();
		await e2e.rest.logIn();
	});
	afterAll(async () => await e2e?.close());

	it('goes on by itself, and stores each lead of the only run once', async () => {
		const execution = await ended(finishing);
		expect([execution.mode, execution.status, checksOf(execution)]).toEqual(['trigger', 'success', 1]);
		expect(await leadsOf(finishing)).toEqual(['finishing_A', 'finishing_B', 'finishing_C']);
	});

	it('fails with the message of a run that failed', async () => {
		const execution = await ended(failing);
		expect(execution.status).toBe('error');
		expect(failureOf(execution)).toMatch(
			new RegExp(`^Run '${failing.run().id}' ended as 'failed' \\(request req_\\w+\\)$`),
		);
		expect(await leadsOf(failing)).toEqual([]);
	});

	it('fails if a run has not finished in time, and names the run', async () => {
		const execution = await ended(endless);
		expect([execution.status, checksOf(execution)]).toEqual(['error', 1]);
		expect(failureOf(execution)).toMatch(
			new RegExp(`^Run '${endless.run().id}' has not finished in three days.* was still 'running' `),
		);
	});

	it('checks again if the service was down during a check', async () => {
		await eventually(
			'a check',
			async () => checksOf(await e2e.executions.get(interrupted.executionId)) > 0,
			END_TIMEOUT_MS,
		);
		e2e.control.clearFaults();
		const execution = await ended(interrupted);
		expect(execution.status).toBe('success');
		expect(checksOf(execution)).toBeGreaterThan(1);
		const [first] = execution.data!.resultData.runData['Check the run'];
		expect(first.data!.main[0]![0].json.error).toMatch(/503/);
		expect(await leadsOf(interrupted)).toHaveLength(3);
	});

	it('an execution timeout that is shorter than the wait cancels the execution after the wait', async () => {
		const execution = await ended(tooLong);
		expect([execution.status, checksOf(execution)]).toEqual(['canceled', 0]);
	});

	const counted = atLeast('2.0') ? 'from the start of the execution' : 'from the end of the last wait';
	it(`counts a timeout ${counted}, and never more than EXECUTIONS_TIMEOUT_MAX`, async () => {
		const { id } = twoWaits.run();
		await eventually(
			'the first check',
			() => e2e.requests('getRun').some(({ path }) => path.endsWith(id)),
			END_TIMEOUT_MS,
		);
		await eventually(
			'the second wait',
			async () => (await e2e.executions.get(twoWaits.executionId)).status === 'waiting',
		);
		e2e.control.setRunStatus(id, 'completed');
		const execution = await ended(twoWaits);
		expect([execution.status, checksOf(execution)]).toEqual(
			atLeast('2.0') ? ['canceled', 1] : ['success', 2],
		);
	});
});
