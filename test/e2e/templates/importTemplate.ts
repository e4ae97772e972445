import { readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject } from 'n8n-workflow';
import { PLACEHOLDERS, readExample } from '../../examples/examples';
import type { Environment } from '../environment';
import type { Credentials } from '../n8n/credentials';
import type { Saved } from '../n8n/workflows';
import { pollTimes } from '../trigger/polling';

interface Choices {
	/** Credentials by type. Every type that the template names must be here. */
	credentials: Credentials;
	/**
	 * What the user chooses: node name → parameter → value. The template must have left each of them empty. A parameter
	 * inside of another has a path, such as `options.runStatuses`.
	 */
	parameters?: Record<string, IDataObject>;
}

const isEmpty = (value: unknown): boolean =>
	value === undefined || value === '' || (value as { value?: unknown } | null)?.value === '';

/** Returns the object that contains a parameter, and the parameter's name in it. */
function locate(parameters: IDataObject, path: string): [IDataObject, string] {
	const steps = path.split('.');
	const name = steps.pop() as string;
	return [steps.reduce((holder, step) => holder[step] as IDataObject, parameters), name];
}

/**
 * Imports a template and chooses its credentials and the fields it has left empty, as a user does. Its polling trigger
 * polls as often as n8n permits, instead of every few minutes.
 *
 * @throws Error if a parameter to choose has a value already, or if a credential is missing
 */
export async function importTemplate(
	{ workflows }: Pick<Environment, 'workflows'>,
	file: string,
	{ credentials, parameters = {} }: Choices,
): Promise<Saved> {
	const template = readExample(file);
	for (const node of template.nodes) {
		for (const [type, placeholder] of Object.entries(node.credentials ?? {})) {
			if (JSON.stringify(placeholder) !== JSON.stringify(PLACEHOLDERS[type]) || !credentials[type])
				throw new Error(
					`'${node.name}' of ${file} has another placeholder for ${type}, or there is no credential`,
				);
			node.credentials = { ...node.credentials, [type]: credentials[type] };
		}
		for (const [path, value] of Object.entries(parameters[node.name] ?? {})) {
			const [holder, name] = locate(node.parameters as IDataObject, path);
			if (!isEmpty(holder[name])) throw new Error(`${file} does not leave '${path}' of '${node.name}' empty`);
			holder[name] = value;
		}
		if (node.parameters.pollTimes) node.parameters.pollTimes = pollTimes();
	}
	return await workflows.create(template);
}

/** A company name by lead ID. */
export type Leads = Record<string, string>;

/** Adds a finished run with a result for each lead. @returns the run's ID, and the results' IDs */
export function seedLeads({ control }: Environment, workflowId: string, ...leads: Leads[]) {
	const [runId] = control.seed({ runs: [{ workflowId, results: 0 }] }).runs;
	const entries = leads.flatMap((each) => Object.entries(each));
	const now = Date.now();
	const { results } = control.seed({
		results: entries.map(([leadId, companyName], index) => ({
			...{ runId, leadId, companyName },
			createdAt: new Date(now + index).toISOString(),
		})),
	});
	return { runId, results };
}

/** A row of the tables that the lead templates fill, by column. */
export type LeadRow = Record<string, string>;

/** Largest page of n8n 1's list of rows. */
const ROWS_PER_PAGE = 50;

/** Creates a data table with the columns of the file for the lead templates. `close` deletes it. */
export async function createDataTable({ rest }: Environment, name = 'Leads') {
	const { id: project } = await rest.get<{ id: string }>('/rest/projects/personal');
	const tables = `/rest/projects/${project}/data-tables`;
	const columns = readFileSync('examples/lead-table.csv', 'utf8').trim().split(',');
	const { id } = await rest.post<{ id: string }>(tables, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	return {
		/** The value of a parameter that chooses the table. */
		reference: { __rl: true, mode: 'list', value: id },
		async rows(): Promise<LeadRow[]> {
			const all: LeadRow[] = [];
			for (;;) {
				const { count, data } = await rest.get<{ count: number; data: LeadRow[] }>(
					`${tables}/${id}/rows?take=${ROWS_PER_PAGE}&skip=${all.length}&sortBy=id:asc`,
				);
				all.push(...data);
				if (all.length >= count || data.length === 0) return all;
			}
		},
		insert: async (data: Array<Partial<LeadRow>>) =>
			await rest.post(`${tables}/${id}/insert`, { data, returnType: 'count' }),
		close: async () => await rest.call('DELETE', `${tables}/${id}`),
	};
}

export type DataTable = Awaited<ReturnType<typeof createDataTable>>;
