import { startEnvironment, type Environment } from '../environment';
import { failureOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import * as google from '../outside/googleSheets';
import * as hubspot from '../outside/hubspot';
import { startOutsideServices, type OutsideServices } from '../outside/services';
import * as slack from '../outside/slack';
import { NEXT_POLL_TIMEOUT_MS } from '../trigger/polling';
import { createCredential, importTemplate } from './importTemplate';

/** Each of them has to be quoted somewhere. */
const ODD_STATUS = `Broken "down" 🔥 <!channel> & 'more' \\n`;

let e2e: Environment;
let outside: OutsideServices;

beforeAll(async () => {
	outside = await startOutsideServices();
	e2e = await startEnvironment({ ownN8n: outside.env });
});
afterAll(async () => {
	await e2e?.close();
	await outside?.close();
});

/** Executes a workflow by hand, and waits for the end. */
async function execute(workflow: Saved): Promise<Execution> {
	return await e2e.executions.ended(await e2e.workflows.start(workflow));
}

/** Activates a workflow with a polling trigger, and waits for the poll that records what exists already. */
async function activate(workflow: Saved): Promise<void> {
	const polls = () => e2e.requests('listWorkflows').length;
	const before = polls();
	await e2e.workflows.activate(workflow);
	await eventually('the first poll', () => polls() > before, NEXT_POLL_TIMEOUT_MS);
	await eventually('its end', async () => (await e2e.workflows.get(workflow.id)).active);
}

/** Waits for the next failed execution of a workflow that is not among these. */
async function failed({ id }: Saved, known: Execution[], isWanted: (execution: Execution) => boolean) {
	const ids = known.map((execution) => execution.id);
	return await eventually(
		'a failed execution',
		async () => {
			for (const { id: executionId, status } of await e2e.executions.of(id)) {
				if (status !== 'error' || ids.includes(executionId)) continue;
				const execution = await e2e.executions.ended(executionId);
				if (isWanted(execution)) return execution;
			}
			return false;
		},
		NEXT_POLL_TIMEOUT_MS,
	);
}

const hasRun = (node: string) => (execution: Execution) =>
	execution.data?.resultData.runData[node] !== undefined;

describe('The template daily-run-to-google-sheets', () => {
	const COMPANIES = [
		{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
		{ leadId: '0070', companyName: 'Quote "d" & Söhne 🚀' },
		{ leadId: 'lead_c', companyName: '0032 470' },
		{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
	];
	let workflow: Saved;
	let workflowId: string;

	beforeAll(async () => {
		e2e.control.patchSettings({ resultsPerRun: COMPANIES.length });
		[workflowId] = e2e.control.seed({ workflows: [{ companies: COMPANIES }] }).workflows;
		workflow = await importTemplate(e2e, 'daily-run-to-google-sheets.json', {
			credentials: {
				...e2e.full,
				...(await createCredential(e2e, 'googleSheetsOAuth2Api', outside.google.credential)),
			},
			parameters: {
				'Your Google Sheet': { 'assignments.assignments.0.value': outside.google.address },
				'Run and get its leads': { workflowId: { __rl: true, mode: 'id', value: workflowId } },
			},
		});
	});

	const runs = () => e2e.control.runs().runs.filter((run) => run.workflowId === workflowId);

	it('fills an empty sheet, each lead once, in spite of a quota and an outage', async () => {
		outside.google.nextReplies = [google.QUOTA_EXCEEDED, google.INTERNAL_ERROR];
		const execution = await execute(workflow);
		expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
		const [run] = runs();
		const [header, ...rows] = outside.google.rows;
		expect(header).toEqual(['lead_id', 'company_name', 'run_id', 'found_at']);
		expect(rows.map(([leadId, name, runId]) => [leadId, name, runId]).sort()).toEqual([
			['0070', 'Quote "d" & Söhne 🚀', run.id],
			['lead_a', '=HYPERLINK("x")', run.id],
			['lead_c', '0032 470', run.id],
		]);
		for (const [, , , foundAt] of rows) expect(Date.parse(String(foundAt))).not.toBeNaN();
		const tokens = outside.google.requests.filter(({ path }) => path === '/token');
		expect(tokens.map(({ body }) => body.grant_type)).toEqual(['refresh_token']);
	});

	it('executed again on the same day, updates the rows and starts no second run', async () => {
		const before = outside.google.rows.map((row) => [...row]);
		outside.google.rows[0].push('notes');
		outside.google.rows[1].push('Call on Monday');
		outside.google.rows[2][1] = 'An old name';
		const execution = await execute(workflow);
		expect([execution.status, failureOf(execution)]).toEqual(['success', undefined]);
		before[0].push('notes');
		before[1].push('Call on Monday');
		expect(outside.google.rows).toEqual(before);
		expect(runs()).toHaveLength(1);
	});

	it('after an outage that lasts, a retry of the execution writes the rows and starts no run', async () => {
		const before = outside.google.rows.map((row) => [...row]);
		outside.google.rows = [];
		outside.google.nextReplies = Array.from({ length: 5 }, () => google.INTERNAL_ERROR);
		const execution = await execute(workflow);
		expect(execution.status).toBe('error');
		expect(outside.google.rows).toEqual([]);
		const retry = await e2e.executions.retry(execution.id);
		expect([retry.status, failureOf(retry)]).toEqual(['success', undefined]);
		expect(outside.google.rows).toEqual(before.map((row) => row.slice(0, 4)));
		expect(runs()).toHaveLength(1);
	});

	it('can be activated', async () => {
		await e2e.workflows.activate(workflow);
		await e2e.workflows.deactivate(workflow);
	});
});

describe('The template leads-to-hubspot', () => {
	let workflow: Saved;
	let workflowId: string;

	beforeAll(async () => {
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		workflow = await importTemplate(e2e, 'leads-to-hubspot.json', {
			credentials: {
				...e2e.full,
				...(await createCredential(e2e, 'hubspotAppToken', outside.hubspot.credential)),
			},
			pollOften: true,
		});
		await activate(workflow);
	});
	afterAll(async () => await e2e.workflows.deactivate(workflow));

	/** Adds a run that has found these leads. */
	function find(leads: Array<{ leadId: string; companyName?: string }>): string {
		const [runId] = e2e.control.seed({ runs: [{ workflowId, results: 0 }] }).runs;
		e2e.control.seed({ results: leads.map((lead) => ({ ...lead, runId })) });
		return runId;
	}

	const names = () => outside.hubspot.companies.map(({ name }) => name).sort();
	const companies = async (count: number) =>
		await eventually(`${count} companies`, () => names().length >= count, NEXT_POLL_TIMEOUT_MS);

	it('creates one company per new lead, in spite of a limit and an outage', async () => {
		outside.hubspot.nextReplies = [hubspot.RATE_LIMITED, hubspot.INTERNAL_ERROR];
		const runId = find([
			{ leadId: 'lead_1', companyName: 'Quote "d" & Söhne 🚀' },
			{ leadId: 'lead_2', companyName: 'Second Ltd' },
			{ leadId: 'lead_2', companyName: 'Second Ltd' },
			{ leadId: 'lead_3', companyName: '' },
		]);
		await companies(3);
		expect(names()).toEqual(['Lead lead_3', 'Quote "d" & Söhne 🚀', 'Second Ltd']);
		expect(outside.hubspot.companies[0].description).toMatch(
			new RegExp(`^Found by Prospector in run ${runId}\\. Lead ID: lead_[123]$`),
		);

		find([
			{ leadId: 'lead_1', companyName: 'Another Name' },
			{ leadId: 'lead_4', companyName: 'Fourth Ltd' },
		]);
		await companies(4);
		expect(names()).toEqual(['Fourth Ltd', 'Lead lead_3', 'Quote "d" & Söhne 🚀', 'Second Ltd']);
		expect(outside.hubspot.requests).toHaveLength(6);
	});

	it('says how many are missing, and a retry adds the missing company only', async () => {
		const { hubspot: service } = outside;
		service.companies = [];
		service.refusedNames = ['Refused Ltd'];
		find([
			{ leadId: 'lead_5', companyName: 'Fifth Ltd' },
			{ leadId: 'lead_6', companyName: 'Refused Ltd' },
			{ leadId: 'lead_7', companyName: 'Seventh Ltd' },
		]);
		const summary = await failed(workflow, [], hasRun('Say how many are missing'));
		expect(failureOf(summary)).toMatch(
			/^1 of 3 companies were not added to HubSpot\. Each of them has a failed execution of its own/,
		);
		expect(names()).toEqual(['Fifth Ltd', 'Seventh Ltd']);

		// The summary's own Retry changes nothing.
		const repeated = await e2e.executions.retry(summary.id);
		expect(failureOf(repeated)).toBe(failureOf(summary));
		expect(names()).toEqual(['Fifth Ltd', 'Seventh Ltd']);

		service.refusedNames = [];
		const missing = await failed(workflow, [], hasRun('Create the company'));
		const retry = await e2e.executions.retry(missing.id);
		expect([retry.status, failureOf(retry)]).toEqual(['success', undefined]);
		expect(names()).toEqual(['Fifth Ltd', 'Refused Ltd', 'Seventh Ltd']);
	});

	it('after n8n was killed, a retry adds the missing companies, except the one that was under way', async () => {
		const { hubspot: service } = outside;
		service.companies = [];
		service.requests = [];
		service.nextReplies = [undefined, 'hang'];
		const leads = ['A', 'B', 'C', 'D'].map((letter) => ({
			leadId: `lead_${letter}`,
			companyName: `Company ${letter}`,
		}));
		find(leads);
		await eventually('two requests', () => service.requests.length === 2, NEXT_POLL_TIMEOUT_MS);
		await e2e.n8n.kill();
		await e2e.n8n.start();
		await e2e.rest.logIn();

		const isCrashed = ({ mode, status }: Execution) => mode === 'trigger' && status === 'crashed';
		const crashed = await eventually('a crashed execution', async () =>
			(await e2e.executions.of(workflow.id)).find(isCrashed),
		);
		const retry = await e2e.executions.retry(crashed.id);
		expect([retry.status, failureOf(retry)]).toEqual(['success', undefined]);
		const underWay = JSON.stringify(service.requests[1].body);
		const others = leads.map(({ companyName }) => companyName).filter((name) => !underWay.includes(name));
		expect(others).toHaveLength(3);
		expect(names()).toEqual(others);
	});
});

describe('The template slack-alert-when-a-run-fails', () => {
	let workflow: Saved;
	let workflowId: string;

	beforeAll(async () => {
		[workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		workflow = await importTemplate(e2e, 'slack-alert-when-a-run-fails.json', {
			credentials: {
				...e2e.full,
				...(await createCredential(e2e, 'slackApi', outside.slack.credential)),
			},
			parameters: {
				'When a run has failed': { 'options.runStatuses': `failed, ${ODD_STATUS}` },
				'Send the alert': { channelId: { __rl: true, mode: 'id', value: outside.slack.channel } },
			},
			pollOften: true,
		});
		await activate(workflow);
	});
	beforeEach(() => void (outside.slack.messages = []));

	const seedRuns = (...statuses: string[]) =>
		e2e.control.seed({ runs: statuses.map((status) => ({ workflowId, status, results: 0 })) }).runs;
	const messages = async (count: number) =>
		await eventually(
			`${count} messages`,
			() => outside.slack.messages.length >= count && outside.slack.messages,
			NEXT_POLL_TIMEOUT_MS,
		);

	it('posts one message per failed run, in spite of a limit and an outage', async () => {
		outside.slack.nextReplies = [undefined, slack.RATE_LIMITED, slack.INTERNAL_ERROR];
		const [, odd, timedOut] = seedRuns('completed', ODD_STATUS, 'failed');
		const posted = await messages(2);
		const escaped = ODD_STATUS.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
		expect(posted.map(({ text }) => text.split('\n')).sort()).toEqual(
			[
				[odd, escaped],
				[timedOut, 'failed'],
			]
				.map(([id, status]) => [
					`Prospector run ${id} has failed with status '${status}'.`,
					`Prospector workflow: ${workflowId}`,
					expect.stringMatching(/^Request ID, for questions to the service: req_\w+$/),
				])
				.sort(),
		);
		expect(outside.slack.requests).toHaveLength(4);
	});

	it('fails if Slack does not take a message, and a retry posts it and none again', async () => {
		outside.slack.nextReplies = [undefined, ...Array.from({ length: 5 }, () => slack.ARCHIVED)];
		const ids = seedRuns('failed', 'failed');
		const execution = await failed(workflow, [], () => true);
		expect(failureOf(execution)).toContain('is_archived');
		expect(outside.slack.messages).toHaveLength(1);
		const retry = await e2e.executions.retry(execution.id);
		expect([retry.status, failureOf(retry)]).toEqual(['success', undefined]);
		expect(outside.slack.messages).toHaveLength(2);
		for (const id of ids)
			expect(outside.slack.messages.filter(({ text }) => text.includes(id))).toHaveLength(1);
	});
});

describe('The templates for other services', () => {
	it('reach no other hosts', () => {
		// n8n itself sends requests to its maker.
		expect(outside.refusedHosts.filter((host) => !host.endsWith('.n8n.io:443'))).toEqual([]);
	});
});
