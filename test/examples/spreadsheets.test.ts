import { utils } from '@e965/xlsx';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';
import { resolve } from 'node:path'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { CredentialStore, NodeTypes, run } from '../../scripts/engine';
import { describeNodeType } from '../nodes';
import { readSheet } from '../readSheet';
import { readExample } from './examples';

const MAX_CELL_LENGTH = 32_767;
const NAMES = [
	...['=1+1', '=HYPERLINK("x","y")', '+1', '-1', '@SUM(1)', '\t=1', '0070', '1e3'],
	'x'.repeat(MAX_CELL_LENGTH + 1),
];

// The other files of n8n's node need packages that test/n8n leaves out.
const WRITER =
	'test/n8n/node_modules/n8n-nodes-base/dist/nodes/Files/ConvertToFile/actions/spreadsheet.operation';

type Writer = {
	properties: INodeProperties[];
	execute(
		this: IExecuteFunctions,
		items: INodeExecutionData[],
		format: string,
	): Promise<INodeExecutionData[]>;
};

/** Executes the end of a template. Returns the sheet that it sends. */
async function readSentFile(file: string, names: string[]) {
	let content = '';
	const { properties, execute } = (await import(resolve(WRITER))) as Writer;
	const toFile: INodeType = {
		description: describeNodeType('n8n-nodes-base.convertToFile', 1, {
			properties: [{ displayName: 'Action', name: 'operation', type: 'string', default: '' }, ...properties],
		}),
		async execute(this: IExecuteFunctions) {
			const format = this.getNodeParameter('operation', 0) as string;
			return [await execute.call(this, this.getInputData(), format)];
		},
	};
	const email: INodeType = {
		description: describeNodeType('n8n-nodes-base.emailSend'),
		async execute(this: IExecuteFunctions) {
			content = this.getInputData()[0].binary!.data.data;
			return [[]];
		},
	};
	const nodeTypes = await NodeTypes.load('.', 'test/n8n/node_modules/n8n-nodes-base');
	for (const type of [toFile, email]) nodeTypes.add(type.description.name, type);
	const { data } = await run({
		nodeTypes,
		credentials: new CredentialStore(nodeTypes),
		workflow: readExample(file),
		startNode: 'Choose the columns',
		input: names.map((company_name, n) => ({
			json: { company_name, lead_id: `lead_${n}`, first_found_at: '2026-01-31T09:30:00.000Z' },
		})),
	});
	expect(data.resultData.error).toBeUndefined();
	return readSheet(Buffer.from(content, 'base64'));
}

test.each(['form-to-email.json', 'new-leads-weekly.json'])(
	'the file that the template %s sends shows company names as text if they look like formulas or numbers, and cuts a name that does not fit into a cell',
	async (file) => {
		const sheet = await readSentFile(file, NAMES);
		const rows = utils.sheet_to_json<{ company_name: string }>(sheet);
		expect(rows.map(({ company_name }) => company_name)).toEqual(
			NAMES.map((name) => name.slice(0, MAX_CELL_LENGTH)),
		);
		expect(Object.values(sheet).filter(({ f: formula }) => formula)).toEqual([]);
	},
);
