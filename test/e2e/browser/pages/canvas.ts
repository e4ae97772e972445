import type { Locator, Page, Response } from 'playwright-core';
import { eventually } from '../../../eventually';
import { OWNER } from '../../n8n/rest';
import { atLeast } from '../../n8n/target';
import type { User } from '../user';
import { NodePanel } from './nodePanel';
import { NodeView } from './nodeView';
import { byTestId } from './testId';

/** Loads a page of the editor. On a busy machine, n8n 1 answers 404 for some time after its REST API is ready. */
async function load(page: Page, url: string): Promise<void> {
	await eventually(`n8n to return ${url}`, async () => (await page.goto(url))?.ok());
}

export async function logIn(page: Page, url: string): Promise<void> {
	await load(page, `${url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', OWNER.email);
	await page.fill('input[name="password"]', OWNER.password);
	await page.click(byTestId('form-submit-button'));
	await page.waitForURL(/\/(home|workflow)/);
}

/** Opens pages of the loaded editor, as its own buttons do. */
const ROUTER = "document.querySelector('#app').__vue_app__.config.globalProperties.$router";

/** The name below a node can be wider than the node. */
const ROOM_FOR_NAMES = 30;

export class Canvas {
	private readonly page: Page;

	constructor(
		readonly user: User,
		private readonly url: string,
	) {
		this.page = user.page;
	}

	/** Loads the editor with an empty n8n workflow. */
	async openNewWorkflow(): Promise<void> {
		await load(this.page, `${this.url}/workflow/new`);
		await this.waitForEmpty();
	}

	/** Opens an empty n8n workflow. Loading the editor again, which n8n 1 needs, takes ten times the processor time. */
	private async openNextWorkflow(): Promise<void> {
		if (!atLeast('2.0')) return await this.openNewWorkflow();
		await this.page.evaluate(`${ROUTER}.push('/workflow/new')`);
		await this.waitForEmpty();
	}

	private async waitForEmpty(): Promise<void> {
		await this.page.locator(byTestId('canvas-add-button')).waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await load(this.page, `${this.url}/workflow/${id}`);
		await this.nodes.first().waitFor();
	}

	/** Pastes an n8n workflow on an empty canvas of the loaded editor and zooms out until all of it is visible. */
	async paste(json: string): Promise<void> {
		await this.openNextWorkflow();
		// n8n 2 saves the workflow by itself. Before that, it can't load the lists of some fields.
		const isCreation = (response: Response) =>
			response.request().method() === 'POST' && response.url().endsWith('/rest/workflows');
		await Promise.all([
			atLeast('2.0') && this.page.waitForResponse(isCreation),
			this.user.paste(json),
			this.nodes.first().waitFor(),
		]);
		await this.user.click(this.page.locator(byTestId('zoom-to-fit')));
	}

	async addFirstNode(): Promise<NodePanel> {
		await this.user.click(this.page.locator(byTestId('canvas-add-button')));
		return await NodePanel.opened(this.user);
	}

	async addNode(): Promise<NodePanel> {
		await this.user.click(this.page.locator(byTestId('node-creator-plus-button')));
		return await NodePanel.opened(this.user);
	}

	get nodes(): Locator {
		return this.page.locator(byTestId('canvas-node'));
	}

	async waitForNodes(count: number): Promise<void> {
		await this.nodes.nth(count - 1).waitFor();
	}

	private node(name: string): Locator {
		return this.page.locator(`${byTestId('canvas-node')}[data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<NodeView> {
		await this.node(name).dblclick();
		return await NodeView.opened(this.user);
	}

	/** Returns the names of the nodes with a red sign, sorted. */
	async nodesWithIssues(): Promise<string[]> {
		const nodes = await this.nodes.filter({ has: this.page.locator(byTestId('node-issues')) }).all();
		const names = await Promise.all(nodes.map(async (node) => await node.getAttribute('data-node-name')));
		return names.map(String).sort();
	}

	/** Publishes (in n8n 1: activates) the n8n workflow, and closes the dialog that says so. Returns its ID. */
	async publish(): Promise<string> {
		if (!atLeast('2.0')) return await this.saveAndActivate();
		await this.user.click(this.page.locator(byTestId('workflow-open-publish-modal-button')));
		const dialog = this.page.locator(byTestId('workflowPublish-modal'));
		await this.user.click(dialog.locator(byTestId('workflow-publish-button')));
		await dialog.waitFor({ state: 'hidden' });
		await this.user.click(this.page.getByRole('button', { name: 'Got it' }));
		return this.workflowId;
	}

	private async saveAndActivate(): Promise<string> {
		const saveButton = this.page.locator(byTestId('workflow-save-button'));
		await this.user.click(saveButton);
		// If it is activated before it is saved, n8n executes what it had saved before.
		await saveButton.getByText('Saved').waitFor();
		await this.user.click(this.page.locator(byTestId('workflow-activate-switch')));
		await this.page.getByText('Workflow activated').first().waitFor();
		return this.workflowId;
	}

	private get workflowId(): string {
		return new URL(this.page.url()).pathname.split('/')[2];
	}

	/** Scrolls the canvas until the nodes are not further to the right than a panel. */
	private async moveAbove(panel: Locator): Promise<void> {
		await this.page.locator('.vue-flow__pane').hover();
		await eventually('the nodes to move', async () => {
			const boxes = await Promise.all((await this.nodes.all()).map(async (node) => await node.boundingBox()));
			const right = Math.max(...boxes.map((box) => box!.x + box!.width));
			const { x, width } = (await panel.boundingBox())!;
			const missing = right + ROOM_FOR_NAMES - (x + width);
			if (missing > 0) await this.page.mouse.wheel(missing, 0);
			return missing <= 0;
		});
	}

	get chatPanel(): Locator {
		return this.page.locator(byTestId('canvas-chat'));
	}

	/** Opens the chat and makes it larger. */
	async openChat(): Promise<void> {
		await this.user.click(this.page.locator(byTestId('workflow-chat-button')));
		await this.user.drag(this.page.locator('[data-dir="top"]'), 0, -230);
		await this.user.drag(this.chatPanel.locator('xpath=..').locator('> [data-dir="right"]'), 400, 0);
		await this.user.click(this.page.locator(byTestId('zoom-to-fit')));
		await this.moveAbove(this.chatPanel);
	}

	/** Gives the nodes the place of the chat. */
	async closeChat(): Promise<void> {
		await this.user.click(this.page.locator(byTestId('workflow-chat-button')));
	}

	/** Sends a message in the chat and waits for an answer that contains these words. */
	async chat(message: string, words: string): Promise<void> {
		await this.user.click(this.page.locator('.chat-inputs textarea'));
		await this.user.type(message);
		await this.user.press('Enter');
		await this.page.locator('.chat-message-from-bot').getByText(words).waitFor();
	}

	/**
	 * Waits until a node has succeeded. Its sign is yellow if n8n has changed the node's parameters since, as it does when
	 * it reads the columns of a sheet late.
	 */
	async waitForSuccess(name: string): Promise<void> {
		const signs = ['canvas-node-status-success', 'canvas-node-status-warning'];
		await this.node(name).locator(signs.map(byTestId).join()).waitFor();
	}
}
