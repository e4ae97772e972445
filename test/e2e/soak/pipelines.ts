import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
import { byId, chainNodes, node, PROSPECTOR } from '../../nodes';
import { pollTimes } from '../trigger/polling';
import { DAY_MS, SPEED } from './time';

export type Credentials = NonNullable<INode['credentials']>;

/** `leads` has a row per result. In `deliveries` and `failed_runs`, every item that arrives adds a row. */
export const TABLES = [
	'CREATE TABLE leads (result_id text PRIMARY KEY, lead_id text NOT NULL, company_name text, execution_id text)',
	'CREATE TABLE deliveries (result_id text, lead_id text, company_name text, execution_id text)',
	'CREATE TABLE failed_runs (run_id text, status text, execution_id text)',
];

/** Keeps these fields and adds the execution's ID. */
const shape = (name: string, fields: Record<string, string>) =>
	node(
		name,
		'n8n-nodes-base.set',
		{
			mode: 'manual',
			assignments: {
				assignments: Object.entries({ ...fields, execution_id: '={{ $execution.id }}' }).map(
					([field, value]) => ({ id: field, name: field, value, type: 'string' }),
				),
			},
			includeOtherFields: false,
			options: {},
		},
		{ typeVersion: 3.4 },
	);

const shapeLead = shape('Shape the lead', {
	result_id: '={{ $json.id }}',
	lead_id: '={{ $json.lead_id }}',
	company_name: '={{ $json.company_name }}',
});

const postgres = (name: string, table: string, credentials: Credentials, matchingColumns: string[] = []) =>
	node(
		name,
		'n8n-nodes-base.postgres',
		{
			operation: matchingColumns.length > 0 ? 'upsert' : 'insert',
			schema: { __rl: true, mode: 'list', value: 'public' },
			table: { __rl: true, mode: 'list', value: table },
			columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns, schema: [] },
			options: {},
		},
		{ typeVersion: 2.6, credentials },
	);

const schedule = (name: string, expression: string) =>
	node(
		name,
		'n8n-nodes-base.scheduleTrigger',
		{ rule: { interval: [{ field: 'cronExpression', expression }] } },
		{ typeVersion: 1.2 },
	);

export interface PipelineOptions {
	prospector: Credentials;
	postgres: Credentials;
	/** Real time at which the service's clock was right. */
	startedAt: number;
	/** The Prospector workflow of the scheduled runs. */
	daily: string;
	/** Whether everything happens more often. */
	isShort: boolean;
}

/** Prefix of the scheduled runs' idempotency keys; the number of the simulated day follows. */
export const DAY_KEY = 'day-';

/** Name of the trigger's node. */
export const TRIGGER = 'Trigger';

/** The n8n workflows, which all use the same API key. */
export function pipelines(options: PipelineOptions): Record<PipelineName, WorkflowFile & { name: string }> {
	const { prospector, postgres: database, startedAt, daily, isShort } = options;
	const trigger = (event: string, everySeconds: number) =>
		node(
			TRIGGER,
			'n8n-nodes-prospector.prospectorTrigger',
			{ pollTimes: pollTimes(everySeconds), event, watch: 'all', options: {} },
			{ credentials: prospector },
		);
	const action = (name: string, parameters: IDataObject) =>
		node(name, PROSPECTOR, { options: {}, ...parameters }, { credentials: prospector });
	const saveLead = postgres('Add or update the lead', 'leads', database, ['result_id']);
	// The schedule's time, so that a retry of the execution has the same key.
	const day = `Math.floor((DateTime.fromISO($json.timestamp).toMillis() - ${startedAt}) / ${DAY_MS / SPEED})`;
	const serviceTime = `(${startedAt} + (Date.now() - ${startedAt}) * ${SPEED})`;
	return {
		newResults: {
			name: 'New results',
			...chainNodes(
				trigger('newResult', isShort ? 5 : 10),
				shapeLead,
				postgres('Add the delivery', 'deliveries', database),
				saveLead,
			),
		},
		failedRuns: {
			name: 'Failed runs',
			...chainNodes(
				trigger('runFailed', isShort ? 10 : 20),
				shape('Shape the run', { run_id: '={{ $json.id }}', status: '={{ $json.status }}' }),
				postgres('Add the failed run', 'failed_runs', database),
			),
		},
		scheduledRun: {
			name: 'A run per day',
			...chainNodes(
				// Several times a day; only the first one may start a run.
				schedule('Several times a day', isShort ? '*/20 * * * * *' : '0 */2 * * * *'),
				action('Run and get results', {
					resource: 'workflow',
					operation: 'runAndGetResults',
					workflowId: byId(daily),
					options: { preventDuplicates: 'key', idempotencyKey: `=${DAY_KEY}{{ ${day} }}` },
				}),
				shapeLead,
				saveLead,
			),
		},
		nightlyExport: {
			name: 'Nightly export',
			...chainNodes(
				schedule('Every night', isShort ? '40 * * * * *' : '30 */8 * * * *'),
				action('List the Prospector workflows', {
					resource: 'workflow',
					operation: 'getAll',
					returnAll: true,
				}),
				action('List their runs', {
					resource: 'run',
					operation: 'getAll',
					workflowId: byId('={{ $json.id }}'),
					returnAll: true,
					simplify: false,
				}),
				node(
					'Recent runs',
					'n8n-nodes-base.filter',
					{
						conditions: {
							options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
							conditions: [
								{
									id: 'recent',
									leftValue: '={{ DateTime.fromISO($json.updated_at).toMillis() }}',
									rightValue: `={{ ${serviceTime} - ${2 * DAY_MS} }}`,
									operator: { type: 'number', operation: 'gt' },
								},
							],
							combinator: 'and',
						},
						options: {},
					},
					{ typeVersion: 2.2 },
				),
				action('Get their results', {
					resource: 'result',
					operation: 'getAll',
					runId: byId('={{ $json.id }}'),
					returnAll: true,
				}),
				shapeLead,
				saveLead,
			),
		},
	};
}

export type PipelineName = 'newResults' | 'failedRuns' | 'scheduledRun' | 'nightlyExport';

/** As in the templates that start runs: n8n saves an execution after each node. */
export const SETTINGS: Record<PipelineName, { saveExecutionProgress?: boolean }> = {
	newResults: {},
	failedRuns: {},
	scheduledRun: { saveExecutionProgress: true },
	nightlyExport: {},
};
