import type { Environment } from '../environment';
import { eventually } from '../n8n/rest';
import type { Saved } from '../n8n/workflows';

/** Activates an n8n workflow that starts with a form. Returns the form's address, when the form is there. */
export async function activateForm(
	{ n8n, workflows }: Pick<Environment, 'n8n' | 'workflows'>,
	workflow: Saved,
): Promise<string> {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const url = `${n8n.baseUrl}/form/${trigger?.webhookId}`;
	await workflows.activate(workflow);
	await eventually('the form', async () => (await fetch(url)).ok);
	return url;
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
	const response = await fetch(url, { method: 'POST', body });
	if (!response.ok) throw new Error(`The form answered ${response.status} ${await response.text()}`);
}
