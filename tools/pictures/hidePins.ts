import { parse, stringify } from 'flatted';
import type { Page } from 'playwright-core';

interface WithPins {
	pinData?: unknown;
}

/** Shows an n8n workflow and its executions as if no node had pinned items. n8n still uses them. */
export async function hidePins(page: Page, workflowId: string): Promise<void> {
	await page.route(`**/rest/workflows/${workflowId}*`, async (route) => {
		const response = await route.fetch();
		const { data } = (await response.json()) as { data: WithPins };
		await route.fulfill({ response, json: { data: { ...data, pinData: {} } } });
	});
	await page.route('**/rest/executions/*', async (route) => {
		const response = await route.fetch();
		const { data } = (await response.json()) as { data: { data: string; workflowData: WithPins } };
		const execution = parse(data.data) as { resultData: WithPins };
		delete execution.resultData.pinData;
		delete data.workflowData.pinData;
		await route.fulfill({ response, json: { data: { ...data, data: stringify(execution) } } });
	});
}
