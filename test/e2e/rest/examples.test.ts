import type { IDataObject, INode } from 'n8n-workflow';
import { exampleFiles, PLACEHOLDERS, readExample } from '../../examples/examples';
import { startEnvironment, type Environment } from '../environment';
import { jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { NEXT_POLL_TIMEOUT_MS, pollTimes } from '../trigger/polling';
import { startReceiver } from './otherHosts';

let e2e: Environment;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

/** Imports an example. By default, only the credential is changed. */
async function importExample(
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

async function succeed(workflow: Saved): Promise<Execution> {
	const ended = await e2e.executions.ended(await e2e.workflows.start(workflow));
	expect([ended.status, ended.data?.resultData.error?.message]).toEqual(['success', undefined]);
	return ended;
}

describe('Examples', () => {
	/** These two are active during all tests. */
	let pipeline: Saved, alert: Saved;
	beforeAll(async () => {
		e2e = await startEnvironment();
		receiver = await startReceiver();
		const pollOften = (nodes: INode[]) => void (nodes[0].parameters.pollTimes = pollTimes());
		pipeline = await importExample('new-results-into-a-lead-pipeline.json', pollOften);
		alert = await importExample('alert-when-a-run-fails.json', pollOften);
		await e2e.workflows.activate(pipeline);
		await e2e.workflows.activate(alert);
		await eventually('the first polls', () => e2e.requests('listWorkflows').length >= 2);
	});
	afterAll(async () => {
		await e2e.close();
		await receiver.close();
	});
	beforeEach(() => {
		e2e.clearRequests();
		receiver.clear();
	});

	it('every example is tested', () => {
		expect(exampleFiles).toEqual([
			'agent-starts-a-run.json', // in agent/agent.test.ts
			'alert-when-a-run-fails.json',
			'new-results-into-a-lead-pipeline.json',
			'nightly-resumable-export.json',
			'run-and-collect.json', // in rest/cli.test.ts and editor/editor.test.ts
			'run-wait-and-push-each-lead.json',
			'scheduled-run-with-a-key-per-day.json',
		]);
	});

	it.each([
		['run-wait-and-push-each-lead.json', 'Leads that arrived', 12],
		['scheduled-run-with-a-key-per-day.json', "Start today's run", 1],
	])('%s starts one run and outputs its items', async (file, last, items) => {
		const { started } = e2e.control.runs();
		const ended = await succeed(await importExample(file));
		expect(jsonOf(ended, last)).toHaveLength(items);
		expect(e2e.control.runs().started).toBe(started + 1);
	});

	it('nightly-resumable-export exports every result once, and in the next night only new ones', async () => {
		// Its own key, because the active triggers send requests too.
		const { secret } = e2e.control.createKey({ name: 'export' });
		const reads = () => e2e.requests('listResults').filter(({ keyName }) => keyName === 'export').length;
		const workflow = await importExample(
			'nightly-resumable-export.json',
			(nodes) => receiver.replaceNode(nodes, 'Export these results'),
			await e2e.credential('export', { apiKey: secret }),
		);
		await e2e.workflows.activate(workflow);
		const seeded = e2e.control.seed({ workflows: [{ runs: [{ results: 120 }, { results: 0 }] }] });
		const counts = e2e.control.runs().runs.map(({ results }) => results);
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

		await succeed(workflow);
		expect(receiver.ids()).toHaveLength(sum(counts));
		expect(new Set(receiver.ids()).size).toBe(sum(counts));
		expect(receiver.ids()).toEqual(expect.arrayContaining(seeded.results));
		expect(reads()).toBe(sum(counts.map((count) => Math.max(1, Math.ceil(count / 50)))));

		e2e.clearRequests();
		receiver.clear();
		const { results } = e2e.control.seed({ workflows: [{ runs: [{ results: 5 }] }] });
		await succeed(workflow);
		expect(receiver.ids().sort()).toEqual(results.sort());
		expect(reads()).toBe(1);
	});

	it('alert-when-a-run-fails and new-results-into-a-lead-pipeline output new items after a poll', async () => {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const { runs, results } = e2e.control.seed({
			runs: [
				{ workflowId, results: 4 },
				{ workflowId, status: 'Failed', results: 0 },
			],
		});
		const polledItems = async (
			workflow: Saved,
			node: string,
			isComplete: (items: IDataObject[]) => boolean,
		) =>
			await eventually(
				`new items of '${workflow.name}'`,
				async () => {
					const items: IDataObject[] = [];
					for (const { id } of await e2e.executions.of(workflow.id)) {
						items.push(...jsonOf(await e2e.executions.ended(id), node));
					}
					return isComplete(items) && items;
				},
				NEXT_POLL_TIMEOUT_MS,
			);
		const text = `^Run ${runs[1]} of Prospector workflow ${workflowId} is now 'Failed', .* quote request req_\\w+\\.$`;
		expect(await polledItems(alert, 'Send the alert', (items) => items.length > 0)).toEqual([
			{
				subject: `Prospector run ${runs[1]}: Failed`,
				text: expect.stringMatching(new RegExp(text)),
			},
		]);
		const ofRun = (items: IDataObject[]) => items.filter((lead) => lead.prospector_run_id === runs[0]);
		const leads = await polledItems(
			pipeline,
			'Add the lead to the pipeline',
			(items) => ofRun(items).length >= results.length,
		);
		expect(ofRun(leads)).toHaveLength(results.length);
		expect(new Set(leads.map(({ lead_id }) => lead_id)).size).toBe(leads.length);
	});

	it.each([
		['alert-when-a-run-fails.json', 'Send the alert'],
		['new-results-into-a-lead-pipeline.json', 'Add the lead to the pipeline'],
	])('%s outputs the same recent items in each test in the editor', async (file, last) => {
		const workflow = await importExample(file);
		const executions = [await succeed(workflow), await succeed(workflow)];
		const [found, again] = executions.map((execution) => jsonOf(execution, workflow.nodes[0].name));
		expect(found.length).toBeGreaterThan(0);
		expect(again.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
		const output = jsonOf(executions[0], last);
		if (file.startsWith('alert')) {
			expect(output.map(({ subject }) => subject)).toEqual(
				found.map(({ id, status }) => `Prospector run ${String(id)}: ${String(status)}`),
			);
		} else {
			const leadIds = [...new Set(found.map(({ lead_id }) => lead_id))];
			expect(output.map(({ lead_id }) => lead_id).sort()).toEqual(leadIds.sort());
		}
	});
});
