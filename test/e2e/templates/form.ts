import type { Page } from 'playwright-core';
import type { N8n } from '../n8n/instance';
import { eventually } from '../../eventually';
import type { Saved } from '../n8n/workflows';

/** Returns the address of the form of an active n8n workflow, when the form is there. */
export async function formUrl({ baseUrl }: N8n, { nodes }: Saved): Promise<string> {
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const url = `${baseUrl}/form/${trigger?.webhookId}`;
	await eventually('the form', async () => (await fetch(url)).ok);
	return url;
}

/** Fills in the pages of the template's form. {@link submitForm} completes it. */
export async function fillInForm(
	page: Page,
	url: string,
	email: string,
	prospectorWorkflow: string,
): Promise<void> {
	await page.goto(url);
	await page.getByLabel('Your e-mail').fill(email);
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByLabel('Prospector workflow').selectOption(prospectorWorkflow);
}

/** Resolves when the last page says that the leads will come. */
export async function submitForm(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Send me the leads' }).click();
	await page.getByText('The leads come by e-mail when the run has finished').waitFor();
}
