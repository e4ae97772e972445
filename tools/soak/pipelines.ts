import type { INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../scripts/engine';
import { readExample, STICKY_NOTE } from '../../test/examples/examples';
import type { Credentials } from '../../test/e2e/n8n/credentials';
import { byId, chainNodes, node, PROSPECTOR } from '../../test/nodes';
import { pollTimes } from '../../test/e2e/trigger/polling';
import { insertNode } from '../shared/insertNode';
import { DAY_MS, SPEED } from './time';

type Pipeline = WorkflowFile & { name: string };

/** The trigger of the first n8n workflow. */
export const TRIGGER = 'When there is a new result';

/** Prefix of the scheduled runs' idempotency keys; the number of the simulated day follows. */
export const DAY_KEY = 'day-';

/**
 * A template and a scheduled run as n8n workflows with the same API key. The first one also adds each item to the
 * table `deliveries`.
 *
 * @param credentials of the types `prospectorApi` and `postgres`
 * @param daily the Prospector workflow of the scheduled runs
 * @param startedAt real time at which the service's clock was right
 */
export function pipelines(credentials: Credentials, daily: string, startedAt: number) {
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
	const newResult = newResults.nodes.find(({ name }) => name === TRIGGER);
	if (!newResult) throw new Error(`The template has no node '${TRIGGER}'`);
	newResult.parameters.pollTimes = pollTimes(10);
	const addDelivery = insertNode('Add the delivery', 'deliveries', ['$json.id', '$execution.id']);
	// Below the template's nodes, so it runs after them.
	newResults.nodes.push({ ...addDelivery, position: [220, 400] });
	newResults.connections[TRIGGER].main[0]?.push({ node: addDelivery.name, type: 'main', index: 0 });

	// The time of the schedule, so that a retry of the execution has the same key.
	const day = `Math.floor((DateTime.fromISO($json.timestamp).toMillis() - ${startedAt}) / ${DAY_MS / SPEED})`;
	const options = { preventDuplicates: 'key', idempotencyKey: `=${DAY_KEY}{{ ${day} }}` };
	const run = { resource: 'workflow', operation: 'runAndGetResults', workflowId: byId(daily), options };
	// Several times a day; only the first one may start a run.
	const rule = { interval: [{ field: 'cronExpression', expression: '0 */2 * * * *' }] };
	const schedule = node('Schedule', 'n8n-nodes-base.scheduleTrigger', { rule }, { typeVersion: 1.2 });
	const scheduledRun = {
		name: 'A run per day',
		// As in the templates that start runs.
		settings: { saveExecutionProgress: true },
		...chainNodes(schedule, node('Run and get results', PROSPECTOR, run)),
	};

	return {
		newResults: withCredentials(newResults),
		scheduledRun: withCredentials(scheduledRun),
	};
}

export type PipelineName = keyof ReturnType<typeof pipelines>;
