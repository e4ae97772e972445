import type { Environment } from '../environment';
import type { Saved } from '../n8n/workflows';
import { nextPoll } from '../trigger/polling';

/** Activates an n8n workflow whose trigger uses the API key `full`. What happens from then on is new to the trigger. */
export async function activateTrigger(
	{ workflows, n8n, sandbox }: Environment,
	workflow: Pick<Saved, 'id'>,
): Promise<void> {
	await workflows.activate(workflow);
	await nextPoll(sandbox, 'full');
	// The durable scheduler does not save the state of the first poll, which can still be the one of the activation.
	if (n8n.target.scheduler === 'durable') await nextPoll(sandbox, 'full');
}
