import { isDeepStrictEqual } from 'node:util'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { INode } from 'n8n-workflow';
import { chainNodes, node } from '../../nodes';
import type { Environment } from '../environment';
import { readTarget } from '../n8n/target';
import { manualTrigger } from '../n8n/workflows';

/** The shortest wait, in seconds, that n8n keeps in its database is 65. */
export const STORED_WAIT_SECONDS = 66;

export const waitNode = (seconds: number, name = 'Wait'): INode =>
	node(
		name,
		'n8n-nodes-base.wait',
		{ resume: 'timeInterval', amount: seconds, unit: 'seconds' },
		{ typeVersion: 1.1 },
	);

/** A node that outputs one item, which names the node. */
export const setNode = (name: string): INode =>
	node(
		name,
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: JSON.stringify({ from: name }) },
		{ typeVersion: 3.4 },
	);

/** How an execution can start. */
export const STARTED_AS = ['a manual execution', 'an execution by a webhook'] as const;
export type StartedAs = (typeof STARTED_AS)[number];

/** Starts an n8n workflow with these nodes after its trigger. Returns the ID of the execution when it waits. */
export async function startWaiting(
	{ workflows, executions }: Environment,
	startedAs: StartedAs,
	nodes: INode[],
): Promise<string> {
	const startManually = async () =>
		await workflows.start(await workflows.create(chainNodes(manualTrigger(), ...nodes)));
	const isManual = startedAs === 'a manual execution';
	const id = await (isManual ? startManually() : workflows.startByWebhook(...nodes));
	await executions.reached(id, 'waiting');
	return id;
}

/**
 * Fails when n8n no longer behaves as it did when a decision was made.
 *
 * @param before what n8n 2.41.1 does
 * @param news completes "n8n now …"
 */
export function expectAsBefore(actual: unknown, before: unknown, news: string): void {
	if (isDeepStrictEqual(actual, before)) return;
	throw new Error(
		`n8n now ${news}. (n8n ${readTarget().version}: ${JSON.stringify(actual)}; before: ${JSON.stringify(before)})`,
	);
}
