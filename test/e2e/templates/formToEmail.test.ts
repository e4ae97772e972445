import { parse } from 'csv-parse/sync';
import type { ParsedMail } from 'mailparser';
import { byId } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { failureOf } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';
import { startMailServer, type MailServer } from '../outside/mailServer';
import { activateForm, submitForm } from './form';
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

const readCsv = ({ attachments }: ParsedMail): Array<Record<string, string>> =>
	parse(attachments[0].content, { columns: true, bom: true });

describe('The template form-to-email', () => {
	let e2e: Environment;
	let server: MailServer;
	let workflow: Saved;
	let form: string;
	let workflowId: string;
	let requesters = 0;

	beforeAll(async () => {
		server = await startMailServer();
		e2e = await startEnvironment();
		const companies = DIFFICULT_NAMES.map((companyName, i) => ({ companyName, leadId: `lead_${i}` }));
		[workflowId] = e2e.control.seed({ workflows: [{ name: 'Freight', companies }] }).workflows;
		const sender = { fromEmail: SENDER };
		workflow = await importTemplate(e2e, 'form-to-email.json', {
			credentials: { ...e2e.full, ...(await createCredential(e2e, 'smtp', server.credential)) },
			parameters: {
				'Run and get its leads': { workflowId: byId(workflowId) },
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
	beforeEach(() =>
		e2e.control.patchSettings({ resultsPerRun: DIFFICULT_NAMES.length, finalStatusByWorkflow: {} }),
	);

	/** Submits the form. Returns the only mail to the requester, and the execution. */
	async function request() {
		const requester = `requester${++requesters}@example.com`;
		const { length: executionsBefore } = await e2e.executions.of(workflow.id);
		const { started } = e2e.control.runs();
		await submitForm(form, [requester]);
		const isAnsweredFirst = server.mailsTo(requester).length === 0;
		const mail = await server.firstMailTo(requester);
		const { id } = await eventually('the execution', async () =>
			(await e2e.executions.of(workflow.id)).at(executionsBefore),
		);
		const ended = await e2e.executions.ended(id);
		expect(mail.from?.text).toBe(SENDER);
		expect(server.mailsTo(requester)).toEqual([mail]);
		expect(e2e.control.runs().started - started).toBe(1);
		return { requester, isAnsweredFirst, mail, ended };
	}

	it('the person who submits the form gets all leads as a CSV file even if the mail server refuses the first e-mail', async () => {
		e2e.control.patchSettings({
			runStageMs: 1000,
			extraFields: { result: { website: 'https://example.com' } },
		});
		server.refuse(1);
		expect(await (await fetch(form)).text()).toContain('The leads come by e-mail when the run has finished');
		const { isAnsweredFirst, mail, ended } = await request();
		e2e.control.patchSettings({ runStageMs: 0, extraFields: {} });
		expect([isAnsweredFirst, ended.status]).toEqual([true, 'success']);
		expect(mail).toMatchObject({
			subject: 'Your leads: 6 found',
			attachments: [{ contentType: 'text/csv', contentDisposition: 'attachment', filename: 'leads.csv' }],
		});
		const rows = readCsv(mail);
		expect(rows.map(({ company_name }) => company_name).sort()).toEqual([...DIFFICULT_NAMES].sort());
		expect(rows.map(({ lead_id }) => lead_id).sort()).toEqual(DIFFICULT_NAMES.map((_, i) => `lead_${i}`));
		const [first] = rows;
		const columns = ['company_name', 'created_at', 'lead_id', 'run_id', 'website'];
		expect(Object.keys(first).sort()).toEqual(columns);
		expect(mail.text).toContain(`Run: ${first.run_id}`);
	});

	it.each([
		['Your leads: none found', 'completed'],
		['Your leads could not be collected', 'failed'],
		['Your leads could not be collected', 'canceled'],
	])(
		'the person who submits the form gets the e-mail "%s" if a run without results ends with the status "%s"',
		async (subject, status) => {
			e2e.control.patchSettings({ resultsPerRun: 0, finalStatusByWorkflow: { [workflowId]: status } });
			const { requester, mail, ended } = await request();
			expect([mail.subject, mail.attachments]).toEqual([subject, []]);
			if (status === 'completed') return expect(ended.status).toBe('success');
			const reason = new RegExp(`Run 'run_\\w+' ended as '${status}' \\(request req_\\w+\\)`, 'i');
			expect(mail.text).toMatch(reason);
			expect(ended.status).toBe('error');
			expect(failureOf(ended)).toMatch(reason);
			expect(failureOf(ended)).toContain(requester);
		},
	);
});
