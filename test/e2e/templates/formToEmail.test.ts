import type { ParsedMail } from 'mailparser';
import { parse } from 'csv-parse/sync';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startMailServer, type MailServer } from '../outside/mailServer';
import { activateForm, deactivateForm, submitForm } from './form';
import { createCredential, importTemplate } from './importTemplate';

const SENDER = 'leads@example.com';

/** Names that CSV must quote or that need more than ASCII. */
const DIFFICULT_NAMES = [
	'Plain Freight B.V.',
	'Say "Cheese", Ltd',
	'Two\nLines GmbH',
	'Comma, Semicolon; & Tab\tInc.',
	'🚚 Vörtrans Łódź 株式会社',
	"O'Neill = 1 + 1",
];

/** The rows of the only attachment, by column. */
function readCsv({ attachments }: ParsedMail): Array<Record<string, string>> {
	expect(attachments).toHaveLength(1);
	return parse(attachments[0].content, { columns: true, bom: true });
}

describe('The template form-to-email', () => {
	let e2e: Environment;
	let server: MailServer;
	let workflow: Saved;
	let form: string;
	let workflowId: string;
	let requesters = 0;

	beforeAll(async () => {
		server = await startMailServer();
		e2e = await startEnvironment({ settings: { resultsPerRun: DIFFICULT_NAMES.length } });
		const companies = DIFFICULT_NAMES.map((companyName, i) => ({ companyName, leadId: `lead_${i}` }));
		[workflowId] = e2e.control.seed({ workflows: [{ name: 'Freight', companies }] }).workflows;
		const sender = { fromEmail: SENDER };
		workflow = await importTemplate(e2e, 'form-to-email.json', {
			credentials: { ...e2e.full, ...(await createCredential(e2e, 'smtp', server.credential)) },
			parameters: {
				'Run and get its leads': { workflowId: { __rl: true, mode: 'id', value: workflowId } },
				'Send the leads': sender,
				'Say that it failed': sender,
				'Say that nothing was found': sender,
			},
		});
		form = await activateForm(e2e, workflow);
	});
	afterAll(async () => {
		await e2e?.close();
		await server?.close();
	});

	const mailsTo = (requester: string) => server.mails.filter(({ to }) => [to].flat()[0]?.text === requester);

	/** Submits the form. Returns the only mail to the requester, the execution, and how many runs were started. */
	async function request() {
		const requester = `requester${++requesters}@example.com`;
		const executionsBefore = (await e2e.executions.of(workflow.id)).length;
		const { started } = e2e.control.runs();
		await submitForm(form, [requester]);
		const isAnsweredFirst = mailsTo(requester).length === 0;
		const mail = await server.nextMail(requester);
		const execution = await eventually('the execution', async () =>
			(await e2e.executions.of(workflow.id)).at(executionsBefore),
		);
		const ended = await e2e.executions.ended(execution.id);
		expect(mail.from?.text).toBe(SENDER);
		expect(mailsTo(requester)).toEqual([mail]);
		return { requester, isAnsweredFirst, mail, ended, runs: e2e.control.runs().started - started };
	}

	it('answers at once, starts one run and sends its leads as a CSV file', async () => {
		e2e.control.patchSettings({ runStageMs: 1000 });
		expect(await (await fetch(form)).text()).toContain('The leads come by e-mail when the run has finished');
		const { isAnsweredFirst, mail, ended, runs } = await request();
		e2e.control.patchSettings({ runStageMs: 0 });

		expect(isAnsweredFirst).toBe(true);
		expect([ended.status, runs]).toEqual(['success', 1]);
		expect(mail.subject).toBe('Your leads: 6 found');
		expect(mail.attachments[0]).toMatchObject({
			contentType: 'text/csv',
			contentDisposition: 'attachment',
			filename: 'leads.csv',
		});
		const rows = readCsv(mail);
		expect(rows.map(({ company_name }) => company_name).sort()).toEqual([...DIFFICULT_NAMES].sort());
		expect(rows.map(({ lead_id }) => lead_id).sort()).toEqual(DIFFICULT_NAMES.map((_, i) => `lead_${i}`));
		expect(Object.keys(rows[0])).toEqual(['lead_id', 'company_name', 'created_at', 'run_id']);
		const [{ run_id: runId }] = rows;
		expect(mail.text).toContain(`Run: ${runId}`);
	});

	it('keeps the fields that only this workspace has', async () => {
		e2e.control.patchSettings({ extraFields: { result: { website: 'https://example.com', score: 7 } } });
		const { mail } = await request();
		e2e.control.patchSettings({ extraFields: {} });
		expect(readCsv(mail)[0]).toMatchObject({ website: 'https://example.com', score: '7' });
	});

	it('says that nothing was found', async () => {
		e2e.control.patchSettings({ resultsPerRun: 0 });
		const { mail, ended, runs } = await request();
		e2e.control.patchSettings({ resultsPerRun: DIFFICULT_NAMES.length });
		expect([mail.subject, mail.attachments.length]).toEqual(['Your leads: none found', 0]);
		expect([ended.status, runs]).toEqual(['success', 1]);
	});

	it.each(['failed', 'canceled'])(
		'tells the requester of a run that ended as %s, and the execution fails',
		async (status) => {
			e2e.control.patchSettings({ finalStatusByWorkflow: { [workflowId]: status } });
			const { requester, mail, ended } = await request();
			e2e.control.patchSettings({ finalStatusByWorkflow: {} });
			const reason = new RegExp(`Run 'run_\\w+' ended as '${status}' \\(request req_\\w+\\)`, 'i');
			expect([mail.subject, mail.attachments.length]).toEqual(['Your leads could not be collected', 0]);
			expect(mail.text).toMatch(reason);
			expect(ended.status).toBe('error');
			expect(failureOf(ended)).toMatch(reason);
			expect(failureOf(ended)).toContain(requester);
		},
	);

	it('tells the requester of a run that takes too long, and the execution fails', async () => {
		e2e.control.patchSettings({ runStageMs: 60_000 });
		const { nodes } = workflow;
		const setWaitUpTo = async (waitUpTo: number) => {
			nodes.find(({ name }) => name === 'Run and get its leads')!.parameters.waitUpTo = waitUpTo;
			await deactivateForm(e2e, workflow);
			await e2e.workflows.save({ id: workflow.id, nodes });
			await activateForm(e2e, workflow);
		};
		await setWaitUpTo(1);
		const { mail, ended } = await request();
		await setWaitUpTo(3600);
		e2e.control.patchSettings({ runStageMs: 0 });
		expect(mail.text).toMatch(/Run 'run_\w+' was still '\w+' after 1 s/);
		expect(ended.status).toBe('error');
	});

	it('sends the leads again if the mail server refuses them once', async () => {
		server.refuse(1);
		const { mail, ended, runs } = await request();
		expect(server.refusals()).toBe(1);
		expect(readCsv(mail)).toHaveLength(DIFFICULT_NAMES.length);
		expect([ended.status, runs]).toEqual(['success', 1]);
	});
});
