import { UsageError } from '../../sandbox/commandLine';
import { startSandbox } from '../../sandbox/sandbox';

export interface Target {
	baseUrl: string;
	apiKey: string;
	/** The Prospector workflow to run; default: the first in the list. */
	workflowId?: string;
	isSandbox: boolean;
	close(): Promise<void>;
}

/**
 * Returns the service of the environment variables, or a new sandbox.
 *
 * @throws UsageError if only one of the two required variables is set
 */
export async function chooseTarget(env: NodeJS.ProcessEnv): Promise<Target> {
	const baseUrl = env.PROSPECTOR_BASE_URL?.trim();
	const apiKey = env.PROSPECTOR_API_KEY?.trim();
	const workflowId = env.PROSPECTOR_WORKFLOW_ID?.trim() || undefined;
	if (baseUrl && apiKey) return { baseUrl, apiKey, workflowId, isSandbox: false, close: async () => {} };
	if (baseUrl || apiKey) {
		const [given, missing] = baseUrl
			? ['PROSPECTOR_BASE_URL', 'PROSPECTOR_API_KEY']
			: ['PROSPECTOR_API_KEY', 'PROSPECTOR_BASE_URL'];
		throw new UsageError(
			`${given} is set but ${missing} is not. Set both to use your own service, or neither to use the sandbox.`,
		);
	}
	const sandbox = await startSandbox({ port: 0 });
	return {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.keys.full,
		workflowId,
		isSandbox: true,
		close: async () => await sandbox.close(),
	};
}
