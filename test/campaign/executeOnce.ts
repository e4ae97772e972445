import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { execute, type WorkflowFile } from '../../scripts/engine';
import type { Environment } from './environment';
import type { Interruption } from './plan';
import { FIRST } from './workflowFile';

/** Real milliseconds after which an execution counts as hanging, even on a busy machine. */
export const HANG_TIMEOUT_MS = 120_000;

/**
 * Executes an n8n workflow until it ends or is interrupted.
 *
 * @returns undefined if it hangs
 */
export async function executeOnce(
	{ nodeTypes, credentials }: Pick<Environment, 'nodeTypes' | 'credentials'>,
	workflow: WorkflowFile,
	state: IRunExecutionData,
	mode: 'trigger' | 'retry',
	interruption?: Interruption,
	timeoutMs = HANG_TIMEOUT_MS,
): Promise<IRun | undefined> {
	const timers: NodeJS.Timeout[] = [];
	const onNode = (node: string) => {
		// An execution that is lost runs to its end.
		if (!interruption || interruption.how === 'lost' || node !== FIRST || timers.length > 1) return;
		timers.push(setTimeout(() => execution.stop(), interruption.afterMs));
	};
	const timeout = new Promise<undefined>((resolve) => {
		timers.push(setTimeout(() => resolve(undefined), timeoutMs));
	});
	const execution = execute({ nodeTypes, credentials, workflow, state, mode, onNode });
	try {
		const run = await Promise.race([execution.finished, timeout]);
		if (!run) execution.stop();
		return run;
	} finally {
		timers.forEach(clearTimeout);
	}
}
