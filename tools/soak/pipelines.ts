import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { readExample, STICKY_NOTE } from '../../test/examples/examples';
import { byId, chainNodes, node, PROSPECTOR } from '../../test/nodes';
import { pollTimes } from '../../test/e2e/trigger/polling';
import { DAY_MS, SPEED } from './time';

export type Credentials = NonNullable<INode['credentials']>;
type Pipeline = WorkflowFile & { name: string };

/** Every item that arrives adds a row to these tables. The templates create the others. */
export const TABLES = [
	'CREATE TABLE deliveries (result_id text, execution_id text)',
	'CREATE TABLE failed_runs (run_id text, execution_id text)',
];

/** Prefix of the scheduled runs' idempotency keys; the number of the simulated day follows. */
export const DAY_KEY = 'day-';

/** Names of the Prospector Triggers. */
export const TRIGGERS = ['When there is a new result', 'When a run fails'];

export interface PipelineOptions {
	/** Of the types `prospectorApi` and `postgres`. */
	credentials: Credentials;
	/** Real time at which the service's clock was right. */
	startedAt: number;
	/** The Prospector workflow of the scheduled runs. */
	daily: string;
	/** Whether everything happens more often. */
	isShort: boolean;
}

/** The n8n workflows, which all use the same API key: two templates, a scheduled run and another trigger. */
export function pipelines({ credentials, startedAt, daily, isShort }: PipelineOptions) {
	/** Gives nodes their credentials, as a user does. */
	const withCredentials = ({ nodes, ...rest }: Pipeline): Pipeline => {
		const isUsed = ({ type }: INode, name: string) =>
			name === 'postgres' ? type.endsWith('.postgres') : type.startsWith('n8n-nodes-prospector.');
		const credentialsOf = (each: INode) =>
			Object.fromEntries(Object.entries(credentials).filter(([name]) => isUsed(each, name)));
		const used = nodes.filter(({ type }) => type !== STICKY_NOTE);
		return { ...rest, nodes: used.map((each) => ({ ...each, credentials: credentialsOf(each) })) };
	};

	const newResults = readExample('leads-to-postgres.json');
	const newResult = find(newResults, TRIGGERS[0]);
	newResult.parameters.pollTimes = pollTimes(isShort ? 5 : 10);
	const leadNodes = ['Keep these columns', 'Add or update the lead'].map((name) => find(newResults, name));
	const deliveries = addRow('Add the delivery', 'deliveries', 'result_id');
	// Below the template's nodes, so it runs after them.
	newResults.nodes.push(...deliveries.map((each): INode => ({ ...each, position: [each.position[0], 400] })));
	Object.assign(newResults.connections, chainNodes(...deliveries).connections);
	newResults.connections[newResult.name].main[0]?.push({ node: deliveries[0].name, type: 'main', index: 0 });

	const nightlyExport = readExample('nightly-export.json');
	nightlyExport.nodes[0].parameters = cron(isShort ? '40 * * * * *' : '30 */8 * * * *');

	// The time of the schedule, so that a retry of the execution has the same key.
	const day = `Math.floor((DateTime.fromISO($json.timestamp).toMillis() - ${startedAt}) / ${DAY_MS / SPEED})`;
	const scheduledRun = {
		name: 'A run per day',
		// As in the templates that start runs.
		settings: { saveExecutionProgress: true },
		...chainNodes(
			// Several times a day; only the first one may start a run.
			node(
				'Several times a day',
				'n8n-nodes-base.scheduleTrigger',
				cron(isShort ? '*/20 * * * * *' : '0 */2 * * * *'),
				{ typeVersion: 1.2 },
			),
			node('Run and get results', PROSPECTOR, {
				resource: 'workflow',
				operation: 'runAndGetResults',
				workflowId: byId(daily),
				options: { preventDuplicates: 'key', idempotencyKey: `=${DAY_KEY}{{ ${day} }}` },
			}),
			...leadNodes,
		),
	};

	const runFailed = node(TRIGGERS[1], newResult.type, {
		pollTimes: pollTimes(isShort ? 10 : 20),
		event: 'runFailed',
		watch: 'all',
		options: {},
	});
	const failedRuns = {
		name: 'Failed runs',
		...chainNodes(runFailed, ...addRow('Add the failed run', 'failed_runs', 'run_id')),
	};
	return {
		newResults: withCredentials(newResults),
		failedRuns: withCredentials(failedRuns),
		scheduledRun: withCredentials(scheduledRun),
		nightlyExport: withCredentials(nightlyExport),
	};
}

export type PipelineName = keyof ReturnType<typeof pipelines>;

function find({ nodes }: Pipeline, name: string): INode {
	const found = nodes.find((each) => each.name === name);
	if (!found) throw new Error(`The template has no node '${name}'`);
	return found;
}

const cron = (expression: string) => ({ rule: { interval: [{ field: 'cronExpression', expression }] } });

/** Two nodes that add each item's ID and the execution's ID to a table. */
function addRow(name: string, table: string, idColumn: string): INode[] {
	const assignments = Object.entries({ [idColumn]: '={{ $json.id }}', execution_id: '={{ $execution.id }}' });
	const columns: IDataObject = {
		mappingMode: 'autoMapInputData',
		value: {},
		matchingColumns: [],
		schema: [],
	};
	return [
		node(
			`Keep the ${idColumn}`,
			'n8n-nodes-base.set',
			{
				mode: 'manual',
				assignments: {
					assignments: assignments.map(([id, value]) => ({ id, name: id, value, type: 'string' })),
				},
				includeOtherFields: false,
				options: {},
			},
			{ typeVersion: 3.4, position: [220, 0] },
		),
		node(
			name,
			'n8n-nodes-base.postgres',
			{
				operation: 'insert',
				schema: { __rl: true, mode: 'list', value: 'public' },
				table: { __rl: true, mode: 'list', value: table },
				columns,
				options: {},
			},
			{ typeVersion: 2.6, position: [440, 0] },
		),
	];
}
