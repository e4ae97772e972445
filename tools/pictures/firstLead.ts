import type { Sandbox } from '../../sandbox/types';
import { Canvas } from '../../test/e2e/browser/pages/canvas';
import { NodeView } from '../../test/e2e/browser/pages/nodeView';
import { byTestId } from '../../test/e2e/browser/pages/testId';
import { openEditor } from '../../test/e2e/browser/window';
import type { N8n } from '../../test/e2e/n8n/instance';
import { FilmedUser } from './filmedUser';
import { hideNoise } from './hideNoise';

/** Films the way from an empty canvas to the leads of a new run. n8n must have no credential yet. */
export async function filmFirstLead(n8n: N8n, sandbox: Sandbox): Promise<FilmedUser> {
	// Its own browser, because the editor remembers the widths of panels.
	const { browser, page } = await openEditor(n8n, { scale: 2 });
	try {
		await hideNoise(page);
		await page.setViewportSize({ width: 1080, height: 640 });
		const user = new FilmedUser(page);
		await getFirstLead(user, n8n.baseUrl, sandbox);
		return user;
	} finally {
		await browser.close();
	}
}

async function getFirstLead(user: FilmedUser, baseUrl: string, sandbox: Sandbox): Promise<void> {
	const canvas = new Canvas(user, baseUrl);
	await canvas.openNewWorkflow();
	const panel = await canvas.addFirstNode();
	await panel.chooseAction('Run Prospector workflow and get results');
	const node = await NodeView.opened(user);
	const form = await node.createCredential();
	await form.fill({ apiKey: sandbox.keys.full, baseUrl: sandbox.baseUrl });
	// Shown only: n8n has the address of the sandbox.
	await form
		.field('baseUrl')
		.evaluate((field, url) => ((field as { value?: string }).value = url), 'https://app.example.com');
	await form.saveAndClose();
	const list = await node.openList('workflowId');
	await user.click(list.filter({ hasText: 'Logistics companies' }));
	await node.execute();
	await user.pause(800);
	await node.rows();
	await user.pause(1000);
	await user.drag(user.page.locator(byTestId('panel-drag-button')), -250, 0);
	await user.pause(2500);
}
