import type { IRun, IRunExecutionData } from 'n8n-workflow';
import { execute, type WorkflowFile } from '../../engine';
import type { Interruption } from './conditions';
import type { Stage } from './stage';
import { FIRST } from './workflowFile';

/** Real milliseconds after which an execution counts as hanging: far beyond all that one has to wait for. */
export const PATIENCE = 120_000;

/**
 * Executes an n8n workflow to its end, or to where it is interrupted.
 *
 * @param patience real milliseconds
 * @returns undefined when it hangs
 */
export async function attempt(
	{ nodeTypes, credentials }: Pick<Stage, 'nodeTypes' | 'credentials'>,
	workflow: WorkflowFile,
	state: IRunExecutionData,
	mode: 'trigger' | 'retry',
	interruption?: Interruption,
	patience = PATIENCE,
): Promise<IRun | undefined> {
	const timers: NodeJS.Timeout[] = [];
	// Whoever loses all after everything was done lets it come to its end.
	const interrupts = interruption && interruption.how !== 'lost';
	const onNode = (node: string) => {
		if (!interrupts || node !== FIRST || timers.length > 1) return;
		timers.push(setTimeout(() => execution.stop(), interruption.after));
	};
	const late = new Promise<undefined>((resolve) => {
		timers.push(setTimeout(() => resolve(undefined), patience));
	});
	const execution = execute({ nodeTypes, credentials, workflow, state, mode, onNode });
	try {
		const run = await Promise.race([execution.finished, late]);
		if (!run) execution.stop();
		return run;
	} finally {
		timers.forEach(clearTimeout);
	}
}
