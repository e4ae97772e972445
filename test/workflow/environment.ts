import type { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	IRun,
	NodeApiError,
} from 'n8n-workflow';
import { CredentialStore, execute, NodeTypes, outputOf, Poller, run } from '../../scripts/engine';
import type { ExecutionOptions, WorkflowFile } from '../../scripts/engine';
import type { Clock } from '../../nodes/Prospector/transport/clock';
import { monotonicClock } from '../../nodes/Prospector/transport/clock';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import type { FaultRule, SandboxOptions } from '../../sandbox/types';
import { fastClock } from '../fastClock';
import { chainNodes, node, PROSPECTOR } from '../nodes';
import { useOwnClock } from '../ownClock';

interface EnvironmentOptions extends Pick<SandboxOptions, 'tls' | 'seed'> {
	/** The node's. */
	clock?: Clock;
	/** The sandbox's. By default, tests can replace Date.now. */
	time?: () => number;
	/** Folders of packages with nodes. */
	packages?: string[];
}

/** The sandbox and the built package, ready to execute workflows; call `close()` in `afterAll`. */
export async function startEnvironment(
	settings: Partial<SandboxSettings> = {},
	{ clock = monotonicClock, time = () => Date.now(), packages = ['.'], ...rest }: EnvironmentOptions = {},
) {
	const sandbox = await startSandbox({
		clock: time,
		...rest,
		settings: { runStageMs: 0, limit: 100_000, ...settings },
	});
	const { baseUrl, control, keys } = sandbox;
	const nodeTypes = await NodeTypes.load(...packages);
	const resetLimits = useOwnClock(nodeTypes, clock, time);
	const credentials = new CredentialStore(nodeTypes);
	const references: Record<string, INode['credentials']> = {};
	for (const [name, apiKey] of Object.entries(keys)) {
		references[name] = await credentials.add(name, 'prospectorApi', { apiKey, baseUrl });
	}

	/** A Prospector node with one of the sandbox's API keys; by default with the one that has every scope. */
	const prospector = (parameters: IDataObject, extra: Partial<INode> = {}, key = 'full') =>
		node('Prospector', PROSPECTOR, parameters, { credentials: references[key], ...extra });

	let triggers = 0;
	type Rest = Partial<Omit<ExecutionOptions, 'nodeTypes' | 'credentials' | 'workflow'>>;
	return {
		sandbox,
		control,
		nodeTypes,
		credentials,
		references,
		prospector,
		journal: () => control.journal(),
		/** Names of the operations that the service was asked for. */
		operations: () => control.journal().map(({ operation }) => operation),
		/** Executes a workflow to its end. */
		run: async (workflow: WorkflowFile, rest: Rest = {}): Promise<IRun> =>
			await run({ nodeTypes, credentials, workflow, ...rest }),
		/** Starts a workflow, which can then be stopped. */
		execute: (workflow: WorkflowFile, rest: Rest = {}) =>
			execute({ nodeTypes, credentials, workflow, ...rest }),
		/** Executes one Prospector node over input items and returns the run, whether it failed or not. */
		async runNode(
			parameters: IDataObject,
			input: IDataObject[] = [{}],
			extra: Partial<INode> = {},
			key = 'full',
		): Promise<IRun> {
			const workflow = chainNodes(prospector(parameters, extra, key));
			return await run({ nodeTypes, credentials, workflow, input: input.map((json) => ({ json })) });
		},
		/** Like `runNode`, but returns the node's output items and throws the node's error. */
		async getItems(...args: Parameters<typeof this.runNode>): Promise<INodeExecutionData[]> {
			const ended = await this.runNode(...args);
			if (ended.data.resultData.error) throw ended.data.resultData.error;
			return outputOf(ended, 'Prospector');
		},
		/** Executes one Prospector node that must fail, and returns its error. */
		async getError(parameters: IDataObject, input: IDataObject[] = [{}], key = 'full') {
			const { error } = (await this.runNode(parameters, input, {}, key)).data.resultData;
			if (error === undefined) throw new Error('The execution succeeded, although it should have failed');
			return error as NodeApiError;
		},
		/** Returns a trigger in an n8n workflow of its own, because it keeps pending items per n8n workflow. */
		trigger(parameters: IDataObject) {
			const extra = { credentials: references.full, id: 'trigger' };
			const trigger = node('Trigger', `${PROSPECTOR}Trigger`, parameters, extra);
			const workflow = { ...chainNodes(trigger), id: `${baseUrl} ${++triggers}`, name: 'Watching' };
			return new Poller({ nodeTypes, credentials, workflow });
		},
		/** Adds a credential: the sandbox's address and full key, replaced by the given data. */
		async addCredential(name: string, data: ICredentialDataDecryptedObject) {
			const given = { apiKey: keys.full, baseUrl, ...data };
			references[name] = await credentials.add(name, 'prospectorApi', given);
		},
		/** Tests a credential as n8n does when a person saves it. */
		async testCredential(data: ICredentialDataDecryptedObject, context: CredentialTestContext) {
			const { methods, description } = nodeTypes.getByNameAndVersion(PROSPECTOR);
			const { testedBy } = description.credentials?.[0] ?? {};
			const credential = { id: '1', name: 'Prospector account', type: 'prospectorApi', data };
			const test = methods?.credentialTest?.[testedBy as string];
			return (await test?.call(context, credential)) as INodeCredentialTestResult;
		},
		/** Removes faults, recorded requests and learned limits, and adds faults. */
		resetService(...faults: FaultRule[]) {
			resetLimits();
			control.clearFaults();
			control.clearJournal();
			faults.forEach((fault) => control.addFault(fault));
		},
		close: async () => await sandbox.close(),
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/**
 * An environment in which the node and the sandbox share a fast clock, so that delays and the minute of the rate limit
 * are short.
 *
 * @param speed seconds that pass on that clock in a real second
 */
export async function startFastEnvironment(settings: Partial<SandboxSettings> = {}, speed = 100) {
	const clock = fastClock(speed);
	const environment = await startEnvironment(settings, { clock: clock.timing, time: clock.now });
	return { ...environment, clock };
}

/** Returns an environment that the tests of a file share. Its service is reset before each test. */
export function useEnvironment<T extends Environment>(start: () => Promise<T>): T {
	const env = {} as T;
	beforeAll(async () => void Object.assign(env, await start()));
	beforeEach(() => env.resetService());
	afterAll(async () => await env.close());
	return env;
}

export const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);

export const hintsOf = (ended: IRun) =>
	(ended.data.resultData.runData.Prospector[0].hints ?? []).map(({ message }) => message);

/** An AI agent that calls one tool. */
export const agentWithTool = (tool: INode, calls = 1): WorkflowFile => ({
	nodes: [node('Agent', 'test.agent', { calls }), { ...tool, name: 'Tool', type: `${PROSPECTOR}Tool` }],
	connections: { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
});
