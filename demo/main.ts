import { CredentialStore, execute, NodeTypes, outputOf, type Execution, type WorkflowFile } from '../engine';
import { readFileSync } from 'node:fs';
import { manualTrigger } from './manualTrigger';
import { keysInFull, leadsTable, requestsTable } from './report';
import { chooseTarget, UsageError, type Target } from './target';
import { recordRequests, type RequestRecord } from './wire';

/** What this process ends with; `npm start` adds 1 for a set-up that did not succeed. */
const EXIT = { ok: 0, usage: 2, workflow: 3, noResults: 4, unexpected: 70, stopped: 130 } as const;

/** Seconds: somebody sits at the terminal, and would not wait for minutes until a service comes back. */
const PATIENCE = 10;

const EXAMPLE = 'examples/run-and-collect.json';
const COLLECT = 'Collect the results';
const START = 'Start a run and wait';

/** Executes the example with n8n's engine on the built package, and reports what came of it. */
async function main(): Promise<number> {
	const target = await chooseTarget(process.env);
	const entries: RequestRecord[] = [];
	const unwatch = recordRequests((entry) => {
		entries.push(entry);
		console.log(`    ${progressLine(entry)}`);
	});
	try {
		console.log(
			target.isSandbox
				? `Sandbox of the service: ${target.baseUrl}`
				: `Your service: ${originOf(target.baseUrl)}. This starts a real run there.`,
		);
		const execution = await start(target);
		const stopped = stopOnSignal(execution);
		const { data } = await execution.finished;
		if (stopped()) {
			console.error('\nStopped. A run that was started goes on in the service.');
			return EXIT.stopped;
		}
		const { error, lastNodeExecuted } = data.resultData;
		if (error) {
			console.error(`\n'${lastNodeExecuted}' could not do its work: ${error.message}`);
			if (error.description) console.error(error.description);
			return EXIT.workflow;
		}
		const leads = outputOf({ data } as Parameters<typeof outputOf>[0], COLLECT);
		console.log(`\n${leads.length} leads\n${leadsTable(leads)}`);
		console.log(`\n${entries.length} requests\n${requestsTable(entries)}`);
		console.log(keysInFull(entries));
		if (leads.length > 0) return EXIT.ok;
		console.error('\nThe run has finished but found nothing, or there is no Prospector workflow to run.');
		return EXIT.noResults;
	} finally {
		unwatch();
		await target.close();
	}
}

async function start({ baseUrl, apiKey, workflowId }: Target): Promise<Execution> {
	const workflow = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowFile;
	// Notes are for the editor, and their type belongs to a package that the demo does not need.
	workflow.nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const startNode = workflow.nodes.find(({ name }) => name === START);
	if (workflowId && startNode) {
		startNode.parameters.workflowId = { __rl: true, mode: 'id', value: workflowId };
	}
	for (const { type, parameters } of workflow.nodes) {
		if (!type.endsWith('.prospector')) continue;
		const options = { maxWait: PATIENCE, ...(parameters.options as object) };
		parameters.options = options;
	}
	const nodeTypes = (await NodeTypes.load('.')).add('n8n-nodes-base.manualTrigger', manualTrigger);
	const credentials = new CredentialStore(nodeTypes);
	await credentials.add('prospector', 'prospectorApi', { apiKey, baseUrl });
	console.log(`Executing ${EXAMPLE} with n8n's engine:`);
	return execute({
		nodeTypes,
		credentials,
		workflow,
		onNode: (node, event) => event === 'begins' && console.log(`  ${node}`),
	});
}

/** A base URL may have been pasted with a password in it. */
const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

const progressLine = ({ method, path, status, runStatus, milliseconds }: RequestRecord) =>
	`${method} ${path} → ${status}${runStatus && ` (${runStatus})`}, ${milliseconds} ms`;

/** @returns whether a signal came */
function stopOnSignal(execution: Execution): () => boolean {
	let came = false;
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			came = true;
			execution.stop();
		});
	}
	return () => came;
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: Error) => {
		const usage = error instanceof UsageError;
		console.error(usage ? error.message : error);
		process.exitCode = usage ? EXIT.usage : EXIT.unexpected;
	},
);
