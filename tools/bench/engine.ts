/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { CredentialStore, NodeTypes, outputOf, run, type WorkflowFile } from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import { ROOT } from '../../test/e2e/setUp/commands';
import { chainNodes } from '../../test/nodes';
import { processorMsSince } from '../../test/processorTime';
import { callInChild, serveInChild } from '../shared/childProcess';
import { withResources } from '../shared/resources';
import { HELPER, helperNode } from './helperNode';
import type { Round } from './figures';
import { inRounds, UNLIMITED, type Scenario } from './scenarios';

/** Maximum duration of loading n8n, and of the execution. */
const TIMEOUT_MS = 15 * 60_000;

/** What a contender's process receives: an n8n workflow, and the data of its credential. */
interface Job {
	workflow: WorkflowFile;
	credential: { baseUrl: string; apiKey: string };
}

interface Report {
	/** Number of different items. */
	count: number;
	processorMs: number;
}

const CREDENTIAL = 'bench';

/** Measures each contender in several rounds, in a process of its own with n8n's engine. */
export async function measureInEngine(scenario: Scenario, rounds: number): Promise<Round[]> {
	return await withResources(async (open) => {
		const { control, baseUrl, keys } = await open(startSandbox({ settings: UNLIMITED, seed: false }));
		const credential = { baseUrl, apiKey: keys.full };
		const credentials = { prospectorApi: { id: CREDENTIAL, name: CREDENTIAL } };
		const source = { baseUrl, credentials, ...scenario.seed(control, scenario.count) };
		return await inRounds(scenario, rounds, async ({ nodes }) => {
			const job: Job = { workflow: chainNodes(...nodes(source)), credential };
			const report = await callInChild<Report>(__filename, job, { timeout: TIMEOUT_MS }).result;
			if (!report) throw new Error('Its process has ended without a report');
			if (report.count !== scenario.count) throw new Error(`It returned ${report.count} items`);
			control.clearJournal();
			return { processorMs: report.processorMs };
		});
	});
}

serveInChild(async ({ workflow, credential }: Job): Promise<Report> => {
	const nodeTypes = await NodeTypes.load(ROOT);
	nodeTypes.add(HELPER, helperNode);
	const credentials = new CredentialStore(nodeTypes);
	await credentials.add(CREDENTIAL, 'prospectorApi', credential);
	const begin = process.cpuUsage();
	// Manual executions keep more data for the editor.
	const ended = await run({ nodeTypes, credentials, workflow, mode: 'trigger' });
	const processorMs = processorMsSince(begin);
	const { error } = ended.data.resultData;
	if (error) throw new Error(`The execution failed: ${error.message}`);
	const items = outputOf(ended, workflow.nodes[workflow.nodes.length - 1].name);
	return { count: new Set(items.map(({ json }) => json.id)).size, processorMs };
});
