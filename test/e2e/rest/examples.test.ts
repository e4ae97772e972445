import type { IDataObject, INode } from 'n8n-workflow';
import { exampleFiles, PLACEHOLDERS, readExample } from '../../examples/examples';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { NEXT_POLL_MS, POLL_TIMES } from '../trigger/polling';
import { startReceiver } from './receiver';

/** A time zone where it is about noon: the day does not change while these tests run. */
const noon = () => {
	const west = new Date().getUTCHours() - 12;
	return `Etc/GMT${west < 0 ? west : `+${west}`}`;
};
const timezone = noon();

let e2e: E2e;
/** Where people's own nodes push things to. */
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
	e2e = await startE2e({ env: { GENERIC_TIMEZONE: timezone } });
	receiver = await startReceiver();
}, PATIENT);
afterAll(async () => {
	await e2e.close();
	await receiver.close();
});
// Not the data: two of the examples watch it all the time.
beforeEach(() => {
	e2e.forget();
	receiver.forget();
});

/** Imports an example as a person does: all that is changed is the credential, and perhaps what `change` says. */
async function imported(
	file: string,
	change: (nodes: INode[]) => void = () => {},
	credentials = e2e.full,
): Promise<Saved> {
	const { nodes, ...rest } = readExample(file);
	for (const node of nodes) {
		if (node.credentials) {
			expect(node.credentials).toEqual({ prospectorApi: PLACEHOLDERS.prospectorApi });
			node.credentials = credentials;
		}
	}
	change(nodes);
	return await e2e.workflows.create({ ...rest, nodes });
}

/** Executes an example from its trigger, which comes first in each. */
async function execute(workflow: Saved): Promise<Execution> {
	return await e2e.executions.ended(await e2e.workflows.start(workflow));
}

const successOf = ({ status, data }: Execution) => [status, data?.resultData.error?.message];
const SUCCESS = ['success', undefined];
const started = () => e2e.control.runs().runs.filter(({ origin }) => origin === 'request');
const sorted = (values: unknown[]) => [...values].sort();

describe('Examples', () => {
	/** Two of them wait for n8n's next poll, while the others are tried. */
	let pipeline: Saved, alert: Saved;
	beforeAll(async () => {
		const often = (nodes: INode[]) => {
			nodes[0].parameters.pollTimes = POLL_TIMES;
		};
		pipeline = await imported('new-results-into-a-lead-pipeline.json', often);
		alert = await imported('alert-when-a-run-fails.json', often);
		await e2e.workflows.activate(pipeline);
		await e2e.workflows.activate(alert);
		// What exists now is not news to them: each has looked at it.
		await eventually('both triggers to look', () => e2e.requests('listWorkflows').length >= 2);
	}, PATIENT);

	it('are these', () => {
		expect(exampleFiles).toEqual([
			// With a model, in a test of its own.
			'agent-starts-a-run.json',
			'alert-when-a-run-fails.json',
			'new-results-into-a-lead-pipeline.json',
			'nightly-resumable-export.json',
			'run-and-collect.json',
			'run-wait-and-push-each-lead.json',
			'scheduled-run-with-a-key-per-day.json',
		]);
	});

	it('run-and-collect: one run, and all of its leads', async () => {
		const before = started().length;
		e2e.control.patchSettings({ resultsPerRun: 120 });
		const ended = await execute(await imported('run-and-collect.json'));
		e2e.control.patchSettings({ resultsPerRun: 12 });
		expect(successOf(ended)).toEqual(SUCCESS);
		expect(started()).toHaveLength(before + 1);
		const leads = jsonOf(ended, 'Collect the results').map(({ lead_id }) => lead_id);
		expect(new Set(leads).size).toBe(120);
		const { id } = started().at(-1)!;
		expect(jsonOf(ended, 'Start a run and wait')).toEqual([
			expect.objectContaining({ id, status: 'completed', idempotency_key: started().at(-1)!.idempotencyKey }),
		]);
	});

	it('scheduled-run-with-a-key-per-day: executed twice on one day, one run', async () => {
		const before = started().length;
		const workflow = await imported('scheduled-run-with-a-key-per-day.json');
		const executions = [await execute(workflow), await execute(workflow)];
		expect(executions.map(successOf)).toEqual([SUCCESS, SUCCESS]);
		expect(started()).toHaveLength(before + 1);
		const { id, workflowId } = started().at(-1)!;
		const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date());
		for (const each of executions) {
			expect(jsonOf(each, "Start today's run")).toEqual([
				expect.objectContaining({ id, workflow_id: workflowId, idempotency_key: `morning-run-${day}` }),
			]);
		}
		expect(e2e.requests('runWorkflow').map(({ replayed }) => replayed)).toEqual([false, true]);
	});

	describe('run-wait-and-push-each-lead', () => {
		it('as imported: every lead arrives, shaped', async () => {
			const ended = await execute(await imported('run-wait-and-push-each-lead.json'));
			expect(successOf(ended)).toEqual(SUCCESS);
			const { id, results } = started().at(-1)!;
			const leads = jsonOf(ended, 'Leads that arrived');
			expect(leads).toHaveLength(results);
			for (const lead of leads) {
				expect(lead).toEqual({
					lead_id: expect.stringMatching(/^lead_/),
					company_name: expect.any(String),
					prospector_run_id: id,
					prospector_request_id: expect.stringMatching(/^req_/),
				});
			}
		});

		it('with a system that refuses one lead: the others are pushed, and the execution says which not', async () => {
			receiver.refuse(2);
			const ended = await execute(
				await imported('run-wait-and-push-each-lead.json', (nodes) =>
					receiver.inPlaceOf(nodes, 'Push the lead onwards', { onError: 'continueErrorOutput' }),
				),
			);
			const { results } = started().at(-1)!;
			expect(ended.status).toBe('error');
			expect(ended.data?.resultData.error?.message).toMatch(
				new RegExp(`^1 of ${results} leads were not pushed; all others were. The first of them: .+`),
			);
			expect(receiver.taken()).toHaveLength(results - 1);
			expect(jsonOf(ended, 'Leads that arrived')).toHaveLength(results - 1);
		});
	});

	it('nightly-resumable-export: every result once; the next night only what is new', async () => {
		// A key of its own tells its requests from those of the triggers.
		const { secret } = e2e.control.createKey({ name: 'export' });
		const reads = () => e2e.requests('listResults').filter(({ keyName }) => keyName === 'export').length;
		const workflow = await imported(
			'nightly-resumable-export.json',
			(nodes) => receiver.inPlaceOf(nodes, 'Export these results'),
			await e2e.credential('export', { apiKey: secret }),
		);
		await e2e.workflows.activate(workflow);
		const many = e2e.control.seed({ workflows: [{ runs: [{ results: 120 }, { results: 0 }] }] });
		const all = e2e.control.runs().runs.map(({ results }) => results);
		const expected = all.reduce((sum, results) => sum + results, 0);

		expect(successOf(await execute(workflow))).toEqual(SUCCESS);
		expect(receiver.ids()).toHaveLength(expected);
		expect(new Set(receiver.ids()).size).toBe(expected);
		expect(receiver.ids()).toEqual(expect.arrayContaining(many.results));
		const pages = all.map((results) => Math.max(1, Math.ceil(results / 50)));
		expect(reads()).toBe(pages.reduce((sum, count) => sum + count, 0));

		e2e.forget();
		receiver.forget();
		const { results } = e2e.control.seed({ workflows: [{ runs: [{ results: 5 }] }] });
		expect(successOf(await execute(workflow))).toEqual(SUCCESS);
		expect(sorted(receiver.ids())).toEqual(sorted(results));
		expect(reads()).toBe(1);
	});

	it(
		'new-results-into-a-lead-pipeline and alert-when-a-run-fails: what is new, at the next poll',
		async () => {
			const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
			const { runs, results } = e2e.control.seed({
				runs: [
					{ workflowId, results: 4 },
					{ workflowId, status: 'Failed', results: 0 },
				],
			});
			const polled = async (workflow: Saved, node: string, wanted: (items: IDataObject[]) => boolean) =>
				await eventually(
					`new items of '${workflow.name}'`,
					async () => {
						const found: IDataObject[] = [];
						for (const { id } of await e2e.executions.of(workflow.id)) {
							found.push(...jsonOf(await e2e.executions.ended(id), node));
						}
						return wanted(found) && found;
					},
					NEXT_POLL_MS,
				);
			const alerts = await polled(alert, 'Send the alert', (found) => found.length > 0);
			expect(alerts).toEqual([
				{
					subject: `Prospector run ${runs[1]}: Failed`,
					text: expect.stringMatching(
						new RegExp(
							`^Run ${runs[1]} of Prospector workflow ${workflowId} is now 'Failed', .* quote request req_\\w+\\.$`,
						),
					),
				},
			]);
			const ofRun = (found: IDataObject[]) => found.filter((lead) => lead.prospector_run_id === runs[0]);
			const leads = await polled(
				pipeline,
				'Add the lead to the pipeline',
				(found) => ofRun(found).length >= results.length,
			);
			expect(ofRun(leads)).toHaveLength(results.length);
			expect(new Set(leads.map(({ lead_id }) => lead_id)).size).toBe(leads.length);
		},
		NEXT_POLL_MS * 2,
	);

	it('with a trigger show something when a person tests them, as often as they like', async () => {
		const test = async (file: string, last: string) => {
			const workflow = await imported(file);
			const executions = [await execute(workflow), await execute(workflow)];
			expect(executions.map(successOf)).toEqual([SUCCESS, SUCCESS]);
			const [found, again] = executions.map((each) => jsonOf(each, workflow.nodes[0].name));
			expect(found.length).toBeGreaterThan(0);
			expect(again.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
			return { found, out: jsonOf(executions[0], last) };
		};
		const failed = await test('alert-when-a-run-fails.json', 'Send the alert');
		expect(failed.out.map(({ subject }) => subject)).toEqual(
			failed.found.map(({ id, status }) => `Prospector run ${String(id)}: ${String(status)}`),
		);
		const results = await test('new-results-into-a-lead-pipeline.json', 'Add the lead to the pipeline');
		expect(sorted(results.out.map(({ lead_id }) => lead_id))).toEqual(
			sorted([...new Set(results.found.map(({ lead_id }) => lead_id))]),
		);
	});
});
