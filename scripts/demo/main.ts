/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { CredentialStore, execute, NodeTypes, outputOf, type Execution, type WorkflowFile } from '../engine';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../sandbox/commandLine';
import { chooseTarget, type Target } from './chooseTarget';
import { recordRequests, type RequestRecord } from './recordRequests';
import { fullKeys, leadsTable, requestsTable } from './report';

/** Exit codes. `npm start` also exits with 1, if the set-up fails. */
const EXIT = { ok: 0, usage: 2, workflow: 3, noResults: 4, unexpected: 70, stopped: 130 } as const;

/** Short, because a user waits at the terminal. */
const RETRY_SECONDS = 10;
const WAIT_SECONDS = 120;

const EXAMPLE = 'scripts/demo/run-and-collect.json';
const RUN_NODE = 'Run it and get its leads';

export interface DemoOptions {
	env: NodeJS.ProcessEnv;
	output: Pick<Console, 'log' | 'error'>;
	/** Stops the execution. */
	signal: AbortSignal;
}

/** Executes the example with n8n's engine on the built package and prints its results. Returns the exit code. */
export async function runDemo(options: DemoOptions): Promise<number> {
	try {
		const target = await chooseTarget(options.env);
		try {
			return await runOnTarget(target, options);
		} finally {
			await target.close();
		}
	} catch (error) {
		const isUsageError = error instanceof UsageError;
		options.output.error(isUsageError ? error.message : error);
		return isUsageError ? EXIT.usage : EXIT.unexpected;
	}
}

async function runOnTarget(target: Target, { output, signal }: DemoOptions): Promise<number> {
	const requests: RequestRecord[] = [];
	const stopRecording = recordRequests((request) => {
		requests.push(request);
		output.log(`    ${progressLine(request)}`);
	});
	try {
		output.log(
			target.isSandbox
				? `Sandbox of the service: ${target.baseUrl}`
				: `Your service: ${originOf(target.baseUrl)}. This starts a real run there.`,
		);
		const execution = await startExecution(target, output);
		const stop = () => execution.stop();
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop, { once: true });
		const run = await execution.finished;
		if (signal.aborted) {
			output.error('\nStopped. A run that was already started continues in the service.');
			return EXIT.stopped;
		}
		const { error, lastNodeExecuted } = run.data.resultData;
		if (error) {
			output.error(`\nThe node '${lastNodeExecuted}' failed: ${error.message}`);
			if (error.description) output.error(error.description);
			return EXIT.workflow;
		}
		const leads = outputOf(run, RUN_NODE);
		output.log(`\n${leads.length} leads\n${leadsTable(leads)}`);
		output.log(`\n${requests.length} requests\n${requestsTable(requests)}`);
		output.log(fullKeys(requests));
		if (leads.length > 0) return EXIT.ok;
		output.error('\nThe run found no leads, or the service has no Prospector workflow to run.');
		return EXIT.noResults;
	} finally {
		stopRecording();
	}
}

async function startExecution(
	{ baseUrl, apiKey, workflowId }: Target,
	output: DemoOptions['output'],
): Promise<Execution> {
	const workflow = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowFile;
	// The package of sticky notes is not installed, and they have no effect on executions.
	workflow.nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	for (const { name, type, parameters } of workflow.nodes) {
		if (!type.endsWith('.prospector')) continue;
		parameters.options = { retryFor: RETRY_SECONDS, ...(parameters.options as object) };
		if (name !== RUN_NODE) continue;
		parameters.waitUpTo = WAIT_SECONDS;
		if (workflowId) parameters.workflowId = { __rl: true, mode: 'id', value: workflowId };
	}
	const nodeTypes = (await NodeTypes.load('.')).add(MANUAL_TRIGGER.description.name, MANUAL_TRIGGER);
	const credentials = new CredentialStore(nodeTypes);
	await credentials.add('prospector', 'prospectorApi', { apiKey, baseUrl });
	output.log(`Executing ${EXAMPLE} with n8n's engine:`);
	return execute({
		nodeTypes,
		credentials,
		workflow,
		onNode: (node, event) => event === 'start' && output.log(`  ${node}`),
	});
}

/** Replaces n8n's own trigger, because its package takes a gigabyte. */
const MANUAL_TRIGGER: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'n8n-nodes-base.manualTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Returns the item that the execution starts with',
		defaults: { name: 'Manual Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Omits the rest of the URL, which may contain a password. */
const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

const progressLine = ({ method, path, status, runStatus, milliseconds }: RequestRecord) =>
	`${method} ${path} → ${status}${runStatus && ` (${runStatus})`}, ${milliseconds} ms`;

if (require.main === module) {
	const stop = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
	void runDemo({ env: process.env, output: console, signal: stop.signal }).then((code) => {
		process.exitCode = code;
	});
}
