import type { Page } from 'playwright-core';
import { failureOf } from '../../n8n/executions';
import { eventually } from '../../../eventually';
import type { Saved } from '../../n8n/workflows';
import { fillInForm, formUrl, submitForm } from '../form';
import { DIFFICULT_CELLS, DIFFICULT_NAMES, readRows } from './spreadsheet';
import type { Template, World } from './template';

const SENDER = 'leads@example.com';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Two Prospector workflows have this name. */
const NAME = `Freight & "Sons" <Benelux> $'`;

/** Fills in and submits the form. Returns the only mail to the requester, and the execution. */
async function request(
	{ e2e, mailServer }: World,
	page: Page,
	workflow: Saved,
	requester: string,
	choice: string,
) {
	const { length: executionsBefore } = await e2e.executions.of(workflow.id);
	const { started } = e2e.control.runs();
	await fillInForm(page, await formUrl(e2e.n8n, workflow), requester, choice);
	await submitForm(page);
	const isAnsweredFirst = mailServer.mailsTo(requester).length === 0;
	const mail = await mailServer.firstMailTo(requester);
	const { id } = await eventually('the execution', async () =>
		(await e2e.executions.of(workflow.id)).at(executionsBefore),
	);
	const ended = await e2e.executions.ended(id);
	expect(mail.from?.text).toBe(SENDER);
	expect(mailServer.mailsTo(requester)).toEqual([mail]);
	expect(e2e.control.runs().started - started).toBe(1);
	return { isAnsweredFirst, mail, ended };
}

/** A mail comes in every case, with an Excel file if there are leads. */
export const formToEmail: Template = {
	steps: [['Sender of the e-mails', 'enter', 'sender', SENDER]],
	async check(world, workflow) {
		const { control } = world.e2e;
		const page = await world.canvas.user.page.context().newPage();
		// The form would load a font.
		await page.route(/^https:/, async (route) => await route.abort());
		const companies = DIFFICULT_NAMES.map((companyName, i) => ({ companyName, leadId: `lead_${i}` }));
		const name = NAME.replace(' ', '\n');
		const seeds = [{ name }, { name, companies }, { name: '' }];
		const [, workflowId] = control.seed({ workflows: seeds }).workflows;
		const ask = async (requester: string) =>
			await request(world, page, workflow, requester, `${NAME} (${workflowId})`);

		control.patchSettings({
			...{ resultsPerRun: companies.length, runStageMs: 1000 },
			extraFields: { result: { website: 'https://example.com' } },
		});
		world.mailServer.refuse(1);
		const { isAnsweredFirst, mail, ended } = await ask('first@example.com');
		control.patchSettings({ runStageMs: 0, extraFields: {} });
		expect([isAnsweredFirst, ended.status]).toEqual([true, 'success']);
		expect(mail).toMatchObject({
			subject: `Your leads: ${DIFFICULT_NAMES.length} found`,
			attachments: [{ contentType: EXCEL, contentDisposition: 'attachment', filename: 'leads.xlsx' }],
		});
		const rows = readRows(mail);
		expect(rows.map(({ company_name }) => company_name).sort()).toEqual([...DIFFICULT_CELLS].sort());
		expect(rows.map(({ lead_id }) => lead_id).sort()).toEqual(
			DIFFICULT_NAMES.map((_, i) => `lead_${i}`).sort(),
		);
		const [first] = rows;
		const columns = ['company_name', 'created_at', 'lead_id', 'run_id', 'website', 'workflow_name'];
		expect(Object.keys(first).sort()).toEqual(columns);
		expect(mail.text).toContain(`Run: ${first.run_id}`);
		expect(mail.text).toContain(NAME);

		for (const [status, subject, requester] of [
			['completed', 'Your leads: none found', 'second@example.com'],
			['failed', 'Your leads could not be collected', 'third@example.com'],
			['canceled', 'Your leads could not be collected', 'fourth@example.com'],
		]) {
			control.patchSettings({ resultsPerRun: 0, finalStatusByWorkflow: { [workflowId]: status } });
			const answer = await ask(requester);
			expect([answer.mail.subject, answer.mail.attachments]).toEqual([subject, []]);
			expect(answer.ended.status).toBe(status === 'completed' ? 'success' : 'error');
			if (status === 'completed') continue;
			const reason = new RegExp(`Run 'run_\\w+' ended as '${status}' \\(request req_\\w+\\)`, 'i');
			expect(answer.mail.text).toMatch(reason);
			expect(failureOf(answer.ended)).toMatch(reason);
			expect(failureOf(answer.ended)).toContain(requester);
		}
		await page.close();
	},
};
