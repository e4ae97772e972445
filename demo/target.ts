import { startSandbox } from '../sandbox/sandbox';

/** The service that the demo works on. */
export interface Target {
	baseUrl: string;
	apiKey: string;
	/** The Prospector workflow to run; the first one listed if absent. */
	workflowId?: string;
	isSandbox: boolean;
	close(): Promise<void>;
}

/** Something a person has to put right before the demo can run. */
export class UsageError extends Error {}

/**
 * The service that the environment names, or a sandbox.
 *
 * @throws UsageProblem when only half of a service is named
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
