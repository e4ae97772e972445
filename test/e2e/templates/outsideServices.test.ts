import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startRecorder, type Recorder, type Reply } from '../outside/recorder';
import { NEXT_POLL_TIMEOUT_MS } from '../trigger/polling';
import { activateTrigger, createCredential, importTemplate, seedLeads } from './importTemplate';

const SPREADSHEET = 'sheets.googleapis.com/v4/spreadsheets/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const SHEET = { sheetId: 1234, title: 'Leads', gridProperties: { rowCount: 1000, columnCount: 26 } };
const SHEET_ROWS = [
	['lead_id', 'company_name', 'run_id', 'found_at'],
	['lead_a', 'An old name', 'run_0', '2026-01-01'],
];
const COMPANIES = 'POST api.hubapi.com/companies/v2/companies';
const MESSAGES = 'POST slack.com/api/chat.postMessage';
const HOSTS = ['sheets.googleapis.com', 'api.hubapi.com', 'slack.com'];

const STATUS = `Broken "down" 🔥 <!channel> & 'more' \\n`;
const ESCAPED = `Broken "down" 🔥 &lt;!channel&gt; &amp; 'more' \\n`;

const failure = (status: number): Reply => ({ status, body: { error: { code: status, message: 'Failed' } } });
const TWO_FAILURES = [failure(429), failure(500)];

describe('Templates for Google Sheets, HubSpot and Slack', () => {
	let e2e: Environment;
	let recorder: Recorder;
	let workflowId: string;

	beforeAll(async () => {
		recorder = await startRecorder(HOSTS, {
			[`GET ${SPREADSHEET}/values/`]: ({ target }) => ({
				values: /!\d+:\d+$/.test(target) ? SHEET_ROWS.slice(0, 1) : SHEET_ROWS,
			}),
			[`GET ${SPREADSHEET}`]: () => ({ sheets: [{ properties: SHEET }] }),
			[`POST ${SPREADSHEET}`]: () => ({}),
			[`PUT ${SPREADSHEET}`]: () => ({}),
			[COMPANIES]: () => ({ companyId: 10_444_744, properties: {} }),
			[MESSAGES]: () => ({ ok: true, ts: '1700000000.000100', message: {} }),
		});
		e2e = await startEnvironment({ ownN8n: recorder.env });
	});
	afterAll(async () => {
		await e2e?.close();
		await recorder?.close();
	});
	beforeEach(() => recorder.requests.splice(0));

	/** Imports a template with a credential of the other service. */
	const importWith = async (
		file: string,
		type: string,
		data: ICredentialDataDecryptedObject,
		parameters?: Record<string, IDataObject>,
	) =>
		await importTemplate(e2e, file, {
			credentials: { ...e2e.full, ...(await createCredential(e2e, type, data)) },
			...{ parameters, pollOften: true },
		});

	/** The bodies of the recorded requests to a target. */
	const bodiesOf = (target: string): IDataObject[] =>
		recorder.requests.filter((request) => request.target.startsWith(target)).map(({ body }) => body);

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

	test('the template daily-run-to-google-sheets starts one run per day and writes each lead once if Google Sheets fails', async () => {
		const companies = [
			{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
			{ leadId: '0070', companyName: '0032 470' },
			{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
		];
		e2e.control.patchSettings({ resultsPerRun: companies.length });
		[workflowId] = e2e.control.seed({ workflows: [{ companies }] }).workflows;
		const address = `https://docs.google.com/spreadsheets/d/${SPREADSHEET.split('/').at(-1)}/edit?gid=1234#gid=1234`;
		const token = { access_token: 'ya29.valid', refresh_token: '1//refresh', token_type: 'Bearer' };
		const workflow = await importWith(
			'daily-run-to-google-sheets.json',
			'googleSheetsOAuth2Api',
			{ clientId: 'client', clientSecret: 'secret', oauthTokenData: token },
			{
				'Your Google Sheet': { 'assignments.assignments.0.value': address },
				'Run and get its leads': { workflowId: byId(workflowId) },
			},
		);
		recorder.nextReplies.push(...TWO_FAILURES);
		const execute = async () => await e2e.executions.ended(await e2e.workflows.start(workflow));
		await expectSuccess(await execute());
		const [{ id }] = e2e.control.runs().runs.filter((run) => run.workflowId === workflowId);
		const written = recorder.requests.filter(({ target }) => target.includes(`${SPREADSHEET}/values`));
		const changes = written.flatMap(({ body }) => (body.data ?? (body.values ? body : [])) as IDataObject[]);
		expect(changes.map(({ range, values }) => [range, ...(values as unknown[][])[0]])).toEqual([
			['Leads!B2', '=HYPERLINK("x")'],
			['Leads!C2', id],
			['Leads!D2', expect.any(String)],
			['Leads!3:3', '0070', '0032 470', id, expect.any(String)],
		]);
		await expectSuccess(await execute());
		expect(e2e.control.runs().perWorkflow[workflowId]).toBe(1);
	});

	test('the template leads-to-hubspot creates one company for each new lead even if HubSpot fails', async () => {
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const workflow = await importWith('leads-to-hubspot.json', 'hubspotAppToken', { appToken: 'token' });
		await activateTrigger(e2e, workflow);
		const names = () =>
			bodiesOf(COMPANIES).map((body) => (body.properties as Array<{ value: string }>)[0].value);

		recorder.nextReplies.push(...TWO_FAILURES);
		const first = { lead_1: 'First & Söhne 🚀', lead_2: 'Second', lead_3: '' };
		const { runId } = seedLeads(e2e, workflowId, first, { lead_2: 'Second' });
		await waitForRequests(5);
		expect([...new Set(names())].sort()).toEqual(['First & Söhne 🚀', 'Lead lead_3', 'Second']);
		expect(JSON.stringify(bodiesOf(COMPANIES)[0])).toMatch(
			new RegExp(`Found by Prospector in run ${runId}\\. Lead ID: lead_[123]`),
		);

		recorder.requests.splice(0);
		recorder.nextReplies.push(undefined, ...Array.from({ length: 4 }, () => failure(400)));
		seedLeads(e2e, workflowId, { lead_1: 'Known', lead_5: 'Fifth', lead_6: 'Sixth', lead_7: 'Seventh' });
		const summary = await failedIn(workflow, 'Say how many are missing');
		expect(failureOf(summary)).toMatch(
			/^1 of 4 companies were not added to HubSpot\. Each of them has a failed/,
		);
		const refused = bodiesOf(COMPANIES)[1];
		const { length: before } = recorder.requests;
		await expectSuccess(await e2e.executions.retry((await failedIn(workflow, 'Create the company')).id));
		expect(bodiesOf(COMPANIES).slice(before)).toEqual([refused]);
		expect(names()).not.toContain('Known');
		await e2e.workflows.deactivate(workflow);
	});

	test('the template slack-alert-when-a-run-fails posts one message for each failed run even if Slack fails twice', async () => {
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const workflow = await importWith(
			'slack-alert-when-a-run-fails.json',
			'slackApi',
			{ accessToken: 'xoxb-token', signatureSecret: '' },
			{
				'When a run has failed': { 'options.runStatuses': `failed, ${STATUS}` },
				'Send the alert': { channelId: byId('C0123456789') },
			},
		);
		await activateTrigger(e2e, workflow);
		recorder.nextReplies.push(undefined, ...TWO_FAILURES);
		const runs = ['completed', STATUS, 'failed'].map((status) => ({ workflowId, status, results: 0 }));
		const [, odd, failed] = e2e.control.seed({ runs }).runs;
		await waitForRequests(4);
		const texts = bodiesOf(MESSAGES).map(({ text }) => String(text));
		const expected = (id: string, status: string) =>
			expect.stringMatching(
				new RegExp(
					`^Prospector run ${id} has failed with status '${status.replaceAll('\\', '\\\\')}'\\.\n` +
						`Prospector workflow: ${workflowId}\nRequest ID, for questions to the service: req_\\w+$`,
				),
			);
		expect([...new Set(texts)]).toHaveLength(2);
		expect(texts).toEqual(expect.arrayContaining([expected(odd, ESCAPED), expected(failed, 'failed')]));
	});

	test('the templates contact no hosts except Google Sheets, HubSpot, Slack and the Prospector service', () => {
		// n8n itself sends requests to its maker.
		expect(recorder.refusedHosts.filter((host) => !host.endsWith('.n8n.io:443'))).toEqual([]);
	});
});
