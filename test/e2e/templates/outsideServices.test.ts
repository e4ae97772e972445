import { startEnvironment, type Environment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startRecorder, type Recorder } from '../outside/recorder';
import { NEXT_POLL_TIMEOUT_MS } from '../trigger/polling';
import { ACCOUNTS, ANSWERS, COMPANIES, failure, HOSTS, TWO_FAILURES } from './byHand/otherSystems';
import { activateTrigger, createCredential, importTemplate, seedLeads } from './importTemplate';

describe('The template for HubSpot', () => {
	let e2e: Environment;
	let recorder: Recorder;
	let workflowId: string;

	beforeAll(async () => {
		recorder = await startRecorder(HOSTS, ANSWERS);
		e2e = await startEnvironment({ ownN8n: recorder.env });
	});
	afterAll(async () => {
		await e2e?.close();
		await recorder?.close();
	});
	beforeEach(() => recorder.requests.splice(0));

	const waitForRequests = async (count: number) =>
		await eventually(`${count} requests`, () => recorder.requests.length >= count, NEXT_POLL_TIMEOUT_MS);

	/** Waits for a failed execution in which a node was executed. */
	const failedIn = async ({ id }: Saved, node: string): Promise<Execution> =>
		await eventually(
			`a failed execution of '${node}'`,
			async () => {
				for (const { id: executionId, status } of await e2e.executions.of(id)) {
					const execution = status === 'error' && (await e2e.executions.ended(executionId));
					if (execution && execution.data?.resultData.runData[node]) return execution;
				}
				return false;
			},
			NEXT_POLL_TIMEOUT_MS,
		);

	async function expectSuccess(execution: Execution) {
		expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
	}

	test('the template leads-to-hubspot creates one company for each new lead even if HubSpot fails', async () => {
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const workflow = await importTemplate(e2e, 'leads-to-hubspot.json', {
			credentials: {
				...e2e.full,
				...(await createCredential(e2e, 'hubspotAppToken', ACCOUNTS.hubspotAppToken)),
			},
			pollOften: true,
		});
		await activateTrigger(e2e, workflow);
		const names = () =>
			recorder.bodiesOf(COMPANIES).map((body) => (body.properties as Array<{ value: string }>)[0].value);

		recorder.nextReplies.push(...TWO_FAILURES);
		const first = { lead_1: 'First & Söhne 🚀', lead_2: 'Second', lead_3: '' };
		const { runId } = seedLeads(e2e, workflowId, first, { lead_2: 'Second' });
		await waitForRequests(5);
		expect([...new Set(names())].sort()).toEqual(['First & Söhne 🚀', 'Lead lead_3', 'Second']);
		expect(JSON.stringify(recorder.bodiesOf(COMPANIES)[0])).toMatch(
			new RegExp(`Found by Prospector in run ${runId}\\. Lead ID: lead_[123]`),
		);

		recorder.requests.splice(0);
		recorder.nextReplies.push(undefined, ...Array.from({ length: 4 }, () => failure(400)));
		seedLeads(e2e, workflowId, { lead_1: 'Known', lead_5: 'Fifth', lead_6: 'Sixth', lead_7: 'Seventh' });
		const summary = await failedIn(workflow, 'Say how many are missing');
		expect(failureOf(summary)).toMatch(
			/^1 of 4 companies were not added to HubSpot\. Each of them has a failed/,
		);
		const refused = recorder.bodiesOf(COMPANIES)[1];
		const { length: before } = recorder.requests;
		await expectSuccess(await e2e.executions.retry((await failedIn(workflow, 'Create the company')).id));
		expect(recorder.bodiesOf(COMPANIES).slice(before)).toEqual([refused]);
		expect(names()).not.toContain('Known');
		await e2e.workflows.deactivate(workflow);
	});

	test('the templates contact no hosts except Google Sheets, HubSpot, Slack and the Prospector service', () => {
		// n8n itself sends requests to its maker.
		expect(recorder.refusedHosts.filter((host) => !host.endsWith('.n8n.io:443'))).toEqual([]);
	});
});
