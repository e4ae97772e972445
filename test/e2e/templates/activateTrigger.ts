import type { Environment } from '../environment';
import type { Saved } from '../n8n/workflows';
import { nextPoll } from '../trigger/polling';

/** Activates an n8n workflow whose trigger uses the API key `full`. What happens from then on is new to the trigger. */
export async function activateTrigger(
	{ workflows, sandbox }: Environment,
	workflow: Pick<Saved, 'id'>,
): Promise<void> {
	await workflows.activate(workflow);
	await nextPoll(sandbox, 'full');
}
