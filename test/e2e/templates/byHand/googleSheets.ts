import type { IDataObject } from 'n8n-workflow';
import { failureOf } from '../../n8n/executions';
import { SPREADSHEET, TWO_FAILURES } from './otherSystems';
import type { Template } from './template';

const NAME = 'Sheet companies';
const ADDRESS = `https://docs.google.com/spreadsheets/d/${SPREADSHEET.split('/').at(-1)}/edit?gid=1234#gid=1234`;
const COMPANIES = [
	...[{ leadId: '' }, { leadId: '' }],
	{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
	{ leadId: '0070', companyName: '0032 470' },
	{ leadId: 'lead_a', companyName: '=HYPERLINK("x")' },
];

/** One run starts per day, and each lead is written once even if Google Sheets fails. */
export const dailyRunToGoogleSheets: Template = {
	prepare({ e2e }) {
		e2e.control.patchSettings({ resultsPerRun: COMPANIES.length });
		e2e.control.seed({ workflows: [{ name: NAME, companies: COMPANIES }] });
	},
	steps: [
		['Your Google Sheet', 'enter', 'sheet_address', ADDRESS],
		['Run and get its leads', 'pick', 'workflowId', NAME],
		['Add or update the row', 'test'],
	],
	async check({ e2e, recorder }, workflow) {
		recorder.nextReplies.push(...TWO_FAILURES);
		const ended = await e2e.executions.ended(await e2e.workflows.start(workflow));
		expect([ended.status, failureOf(ended)]).toEqual(['success', undefined]);
		const { runs, perWorkflow } = e2e.control.runs();
		const { id, workflowId, idempotencyKey } = runs.at(-1)!;
		expect(perWorkflow[workflowId]).toBe(1);
		expect(idempotencyKey).toMatch(new RegExp(`^sheet-${workflowId}-\\d{4}-\\d\\d-\\d\\d$`));
		const changes = recorder
			.bodiesOf('')
			.flatMap((body) => (body.data ?? (body.values ? body : [])) as IDataObject[]);
		expect(changes.map(({ range, values }) => [range, ...(values as unknown[][])[0]])).toEqual([
			['Leads!B2', '=HYPERLINK("x")'],
			['Leads!C2', id],
			['Leads!D2', expect.any(String)],
			['Leads!3:5', '0070', '0032 470', id, expect.any(String)],
		]);
	},
};
