import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	NodeApiError,
} from 'n8n-workflow';
import {
	CredentialStore,
	execute,
	NodeTypes,
	outputOf,
	run,
	type ExecutionOptions,
	type WorkflowFile,
} from '../../engine';
import { rateLimiters } from '../../nodes/Prospector/transport/rate/rateLimiters';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import type { FaultRule, SandboxOptions } from '../../sandbox/types';
import { byId, chainNodes, node, PROSPECTOR } from '../nodes';

export { byId, chainNodes, node, PROSPECTOR };

/** The sandbox and the built package, ready to execute workflows; `close()` it in `afterAll`. */
export async function startEnvironment(
	settings: Partial<SandboxSettings> = {},
	options: Pick<SandboxOptions, 'clock'> = {},
) {
	const sandbox = await startSandbox({
		...options,
		port: 0,
		settings: { runStageMs: 0, limit: 100_000, ...settings },
	});
	const nodeTypes = await NodeTypes.load('.');
	const credentials = new CredentialStore(nodeTypes);
	const { baseUrl, keys } = sandbox;
	const references: Record<string, INode['credentials']> = {};
	for (const [name, apiKey] of Object.entries(keys)) {
		references[name] = await credentials.add(name, 'prospectorApi', { apiKey, baseUrl });
	}

	/** A Prospector node with one of the sandbox's ready-made keys, by default the one that may do all. */
	const prospector = (parameters: IDataObject, extra: Partial<INode> = {}, key = 'full') =>
		node('Prospector', PROSPECTOR, parameters, { credentials: references[key], ...extra });

	type Rest = Partial<Omit<ExecutionOptions, 'nodeTypes' | 'credentials' | 'workflow'>>;
	return {
		sandbox,
		nodeTypes,
		credentials,
		references,
		prospector,
		/** Executes a workflow to its end. */
		run: async (workflow: WorkflowFile, rest: Rest = {}): Promise<IRun> =>
			await run({ nodeTypes, credentials, workflow, ...rest }),
		/** Starts a workflow, which can then be stopped. */
		execute: (workflow: WorkflowFile, rest: Rest = {}) =>
			execute({ nodeTypes, credentials, workflow, ...rest }),
		/** Executes one Prospector node over input items and gives its items; fails with the node's failure. */
		async items(
			parameters: IDataObject,
			input: IDataObject[] = [{}],
			extra: Partial<INode> = {},
			key = 'full',
		) {
			const workflow = chainNodes(prospector(parameters, extra, key));
			const ended = await run({ nodeTypes, credentials, workflow, input: input.map((json) => ({ json })) });
			if (ended.data.resultData.error) throw ended.data.resultData.error;
			return outputOf(ended, 'Prospector') as INodeExecutionData[];
		},
		/** Executes one Prospector node over input items and gives the whole run, also a failed one. */
		async over(
			parameters: IDataObject,
			input: IDataObject[] = [{}],
			extra: Partial<INode> = {},
			key = 'full',
		): Promise<IRun> {
			const workflow = chainNodes(prospector(parameters, extra, key));
			return await run({ nodeTypes, credentials, workflow, input: input.map((json) => ({ json })) });
		},
		/** Executes one Prospector node that must fail, and gives its failure. */
		async failure(parameters: IDataObject, input: IDataObject[] = [{}], key = 'full') {
			const { error } = (await this.over(parameters, input, {}, key)).data.resultData;
			if (error === undefined) throw new Error('The execution was expected to fail, and did not');
			return error as NodeApiError;
		},
		/** Adds a credential with settings of its own to the sandbox's address and full key. */
		async credential(name: string, data: ICredentialDataDecryptedObject) {
			references[name] = await credentials.add(name, 'prospectorApi', {
				apiKey: keys.full,
				baseUrl,
				...data,
			});
		},
		/** Forgets faults, requests and learned limits of before, and lets requests go wrong in the given ways. */
		prepare(...faults: FaultRule[]) {
			sandbox.control.clearFaults();
			sandbox.control.clearJournal();
			rateLimiters.clear();
			faults.forEach((fault) => sandbox.control.addFault(fault));
		},
		close: async () => await sandbox.close(),
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
