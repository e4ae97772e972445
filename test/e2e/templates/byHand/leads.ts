import { failureOf } from '../../n8n/executions';
import { eventually } from '../../../eventually';
import { NEXT_POLL_TIMEOUT_MS } from '../../trigger/polling';
import { createDataTable, seedLeads, type DataTable, type LeadRow, type Leads } from '../importTemplate';
import { COMPANIES, failure, MESSAGES, TWO_FAILURES } from './otherSystems';
import { DIFFICULT_CELLS, DIFFICULT_NAMES, readRows } from './spreadsheet';
import type { Template, World } from './template';

const DAY_MS = 86_400_000;
const RECIPIENT = 'sales@example.com';
const WEEKLY_COLUMNS = ['company_name', 'workflow_name', 'first_found_at', 'lead_id', 'run_id'];
const LEAD = { leadId: 'lead_a', companyName: 'Söhne & "Co"' };

/** By name. */
const tables = new Map<string, DataTable>();

/** Returns a function that creates a data table, and a Prospector workflow of the same name with a result. */
const prepareTable =
	(name: string) =>
	async ({ e2e }: World) => {
		tables.set(name, await createDataTable(e2e, name));
		const [workflowId] = e2e.control.seed({ workflows: [{ name, companies: [LEAD] }] }).workflows;
		seedLeads(e2e, workflowId, { [name]: 'Found before the activation' });
	};

/** Adds a run that finds these leads. */
const find = ({ e2e }: World, ...leads: Leads[]) =>
	seedLeads(e2e, e2e.control.seed({ workflows: 1 }).workflows[0], ...leads);

const waitForRequests = async ({ recorder }: World, count: number) =>
	await eventually(`${count} requests`, () => recorder.requests.length >= count, NEXT_POLL_TIMEOUT_MS);

/** The table is picked when the nodes have been tested and therefore have input data. */
export const leadsToDataTable: Template = {
	prepare: prepareTable('Leads by hand'),
	steps: [
		['When there is a new result', 'test'],
		['Keep three columns', 'test'],
		['Add or update the lead', 'pick', 'dataTableId', 'Leads by hand'],
		['Complete a new lead', 'pick', 'dataTableId', 'Leads by hand'],
		['Complete a new lead', 'test'],
	],
	async check(world) {
		const { runId } = find(world, { table_1: 'New' });
		const findRow = async () =>
			(await tables.get('Leads by hand')!.rows()).find(({ run_id }) => run_id === runId);
		const row = await eventually('the new lead', findRow, NEXT_POLL_TIMEOUT_MS);
		expect(row).toMatchObject({ lead_id: 'table_1', company_name: 'New' });
	},
};

/** Posts each lead once even if Slack fails and another run finds the lead. */
export const onlyNewLeads: Template = {
	prepare: prepareTable('Seen leads'),
	steps: [
		['When there is a new result', 'test'],
		['Only leads never seen before', 'pick', 'dataTableId', 'Seen leads'],
		['Remember them', 'pick', 'dataTableId', 'Seen leads'],
		['Remember them', 'test'],
		['Post them to Slack', 'pick', 'channelId', 'alerts'],
	],
	async check(world) {
		const { recorder } = world;
		recorder.nextReplies.push(...TWO_FAILURES);
		find(world, { new_1: 'A <B> & "C"', new_2: 'Two' }, { new_1: 'A <B> & "C"' });
		await waitForRequests(world, 3);
		find(world, { new_2: 'Two', new_3: 'Three' });
		await waitForRequests(world, 4);
		expect([...new Set(recorder.bodiesOf(MESSAGES).map(({ text }) => text))]).toEqual([
			'New leads: 2\n• A &lt;B&gt; &amp; "C"\n• Two',
			'New leads: 1\n• Three',
		]);
	},
};

const row = (lead_id: string, daysAgo: number) => ({
	...{ lead_id, company_name: lead_id },
	first_found_at: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
});

/** Posts and mails the leads that were first found in the last seven days. */
export const newLeadsWeekly: Template = {
	prepare: prepareTable('Weekly leads'),
	steps: [
		['Leads first found last week', 'pick', 'dataTableId', 'Weekly leads'],
		['Post a summary', 'pick', 'channelId', 'alerts'],
		['Post a summary', 'test'],
		['Send it by e-mail', 'enter', 'fromEmail', 'prospector@example.com'],
		['Send it by e-mail', 'enter', 'toEmail', RECIPIENT],
	],
	async check({ e2e, recorder, mailServer }, workflow) {
		async function execute(...rows: Array<Partial<LeadRow>>) {
			await tables.get('Weekly leads')!.insert(rows);
			const ended = await e2e.executions.ended(await e2e.workflows.start(workflow));
			expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);
		}
		await execute(row('Today', 0), row('Long ago', 9));
		expect(mailServer.mailsTo(RECIPIENT)).toEqual([]);
		const leads = Array.from({ length: 45 }, (_, n) => row(`"${n}", & <ö>`, 1 + (n % 6)));
		const difficult = DIFFICULT_NAMES.map((company_name, n) => ({ ...row(`name_${n}`, 1), company_name }));
		await execute(...leads, ...difficult);
		const [none, some] = recorder.bodiesOf(MESSAGES).map(({ text }) => String(text).split('\n'));
		expect(none).toEqual(['New leads in the last seven days: 0']);
		const mail = await mailServer.firstMailTo(RECIPIENT);
		const { subject } = mail;
		expect(some.slice(0, 2)).toEqual([subject, '• "0", &amp; &lt;ö&gt;']);
		expect([subject, some.length]).toEqual(['New leads in the last seven days: 60', 22]);
		const rows = readRows(mail);
		expect(Object.keys(rows[0])).toEqual(WEEKLY_COLUMNS);
		expect(rows).toHaveLength(60);
		expect(rows[1]).toMatchObject({
			company_name: '"1", & <ö>',
			first_found_at: expect.stringMatching(/^\d{4}-[\d-]+T[\d:.]+Z$/),
		});
		expect(rows.slice(leads.length).map(({ company_name }) => company_name)).toEqual(DIFFICULT_CELLS);
	},
};

/** Creates one company for each new lead even if HubSpot fails. */
export const leadsToHubspot: Template = {
	prepare: prepareTable('Leads in HubSpot'),
	steps: [
		['When there is a new result', 'test'],
		['Only leads never seen before', 'pick', 'dataTableId', 'Leads in HubSpot'],
		['Remember the lead', 'pick', 'dataTableId', 'Leads in HubSpot'],
	],
	async check(world, workflow) {
		const { e2e, recorder } = world;
		await e2e.executions.ended(await e2e.workflows.start(workflow, 'When called for one lead'));
		const companies = () => recorder.bodiesOf(COMPANIES).map((body) => JSON.stringify(body));
		const names = () => companies().map((body) => /"value":"(.*?)"/.exec(body)?.[1]);
		const failedIn = async (node: string) =>
			await eventually(`a failed execution of '${node}'`, async () => {
				const ended = (await e2e.executions.of(workflow.id)).filter(({ status }) => status === 'error');
				const all = await Promise.all(ended.map(async (each) => await e2e.executions.ended(each.id)));
				return all.find(({ data }) => data?.resultData.runData[node]);
			});
		recorder.nextReplies.push(...TWO_FAILURES);
		const leads = { lead_1: 'First & Söhne 🚀', lead_2: 'Second', lead_3: '' };
		const { runId } = find(world, leads, { lead_2: 'Second' });
		await waitForRequests(world, 5);
		expect([...new Set(names())].sort()).toEqual(['First & Söhne 🚀', 'Lead lead_3', 'Second']);
		expect(companies()[0]).toMatch(new RegExp(`Found by Prospector in run ${runId}\\. Lead ID: lead_[123]`));

		recorder.requests.splice(0);
		recorder.nextReplies.push(undefined, ...Array.from({ length: 4 }, () => failure(400)));
		find(world, { lead_1: 'Known', lead_5: 'Fifth', lead_6: 'Sixth', lead_7: 'Seventh' });
		expect(failureOf(await failedIn('Say how many are missing'))).toMatch(
			/^1 of 4 companies were not added to HubSpot\. Each of them has a failed/,
		);
		const before = companies();
		const retried = await e2e.executions.retry((await failedIn('Create the company')).id);
		expect([retried.status, companies()]).toEqual(['success', [...before, before[1]]]);
		expect(names()).not.toContain('Known');
	},
};
