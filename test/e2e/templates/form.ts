import type { Environment } from '../environment';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';

type Target = Pick<Environment, 'n8n' | 'workflows'>;

/** The address of an active n8n workflow's form. */
function formUrl({ n8n }: Target, { nodes }: Saved): string {
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return `${n8n.baseUrl}/form/${trigger?.webhookId}`;
}

/** Activates an n8n workflow that starts with a form. Returns the form's address, when the form is there. */
export async function activateForm(target: Target, workflow: Saved): Promise<string> {
	const url = formUrl(target, workflow);
	await target.workflows.activate(workflow);
	await eventually('the form', async () => (await fetch(url)).ok);
	return url;
}

/** Deactivates an n8n workflow that starts with a form, and waits until the form is gone. */
export async function deactivateForm(target: Target, workflow: Saved): Promise<void> {
	await target.workflows.deactivate(workflow);
	await eventually('the form to be gone', async () => !(await fetch(formUrl(target, workflow))).ok);
}

/**
 * Submits a form as n8n's form page does.
 *
 * @param values of the fields, in order
 * @throws Error if n8n does not accept them
 */
export async function submitForm(url: string, values: string[]): Promise<void> {
	const body = new FormData();
	values.forEach((value, index) => body.append(`field-${index}`, value));
	// On a busy machine, n8n may drop the form for a moment after it was activated again. Then nothing is started.
	const response = await eventually('the form', async () => {
		const answer = await fetch(url, { method: 'POST', body });
		return answer.status === 404 ? undefined : answer;
	});
	if (!response.ok) throw new Error(`The form answered ${response.status} ${await response.text()}`);
}
