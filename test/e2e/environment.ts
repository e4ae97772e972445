import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import { node, PROSPECTOR } from '../nodes';
import { createCredential } from './n8n/credentials';
import { Executions } from './n8n/executions';
import { N8n, startN8n } from './n8n/instance';
import { readTarget, type Target } from './n8n/target';
import { Workflows } from './n8n/workflows';

/** Settings of a sandbox whose runs finish at once and whose rate limit is never reached. */
const FAST_SETTINGS = { runStageMs: 0, limit: 100_000 };

interface EnvironmentOptions {
	settings?: Partial<SandboxSettings>;
	/** Starts a new n8n with these environment variables, instead of using the one that test files share. */
	ownN8n?: NodeJS.ProcessEnv;
	/** What the new n8n is, if not the n8n under test. */
	target?: Target;
}

/** Returns the n8n that test files share. */
function sharedN8n(): N8n {
	const target = readTarget();
	const { folder, port, env, cookie } = target.shared!;
	return new N8n(target, folder, port, env, cookie);
}

/** A whole n8n with the packed package, and a sandbox. Call `close()` in the end. */
export async function startEnvironment({ settings, ownN8n, target }: EnvironmentOptions = {}) {
	const n8n = ownN8n ? await startN8n(ownN8n, target) : sharedN8n();
	const sandbox = await startSandbox({ port: 0, settings: { ...FAST_SETTINGS, ...settings } });
	const { rest } = n8n;
	const workflows = new Workflows(rest);

	/** Creates a Prospector credential. */
	const credential = async (name: string, data: ICredentialDataDecryptedObject) =>
		await createCredential(rest, name, 'prospectorApi', { baseUrl: sandbox.baseUrl, ...data });

	async function close() {
		if (ownN8n) await n8n.close();
		else await workflows.deactivateAll();
		await sandbox.close();
	}

	const full = await credential('full', { apiKey: sandbox.keys.full }).catch(async (error: unknown) => {
		// An open n8n would keep Jest from ending.
		await close();
		throw error;
	});

	return {
		sandbox,
		control: sandbox.control,
		n8n,
		rest,
		workflows,
		executions: new Executions(rest),
		credential,
		full,
		/** A Prospector node whose API key has all scopes. */
		prospector: (name: string, parameters: IDataObject, extra: Partial<INode> = {}) =>
			node(name, PROSPECTOR, parameters, { credentials: full, ...extra }),
		/** The sandbox's requests of one operation, in order of arrival. */
		requests: (operation: string) =>
			sandbox.control.journal().filter((entry) => entry.operation === operation),
		/** The runs of a Prospector workflow, oldest first. */
		runsOf: (workflowId: string) =>
			sandbox.control.runs().runs.filter((run) => run.workflowId === workflowId),
		/** Removes the sandbox's faults and its list of requests. */
		clearRequests() {
			sandbox.control.clearFaults();
			sandbox.control.clearJournal();
		},
		close,
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Starts an environment before the tests of a block, and closes it after them. The object is empty until then. */
export function useEnvironment(options?: EnvironmentOptions): Environment {
	const e2e: Partial<Environment> = {};
	beforeAll(async () => void Object.assign(e2e, await startEnvironment(options)));
	afterAll(async () => await e2e.close?.());
	return e2e as Environment;
}
