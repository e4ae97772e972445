import type { Page } from 'playwright-core';
import { credentialsOfOwner } from '../n8n/rest';
import { mark } from './chromium';
import { NodePanel } from './nodePanel';

/** Opens n8n and logs in as its owner does. */
export async function logIn(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', credentialsOfOwner.email);
	await page.fill('input[name="password"]', credentialsOfOwner.password);
	await page.click(mark('form-submit-button'));
	await page.waitForURL(/\/(home|workflow)/);
}

/** The sheet on which a person puts nodes. */
export class Canvas {
	constructor(
		private readonly page: Page,
		private readonly url: string,
	) {}

	/** A new n8n workflow without any node. */
	async openNew(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.locator(mark('canvas-add-button')).waitFor();
	}

	/** "Add first step…" */
	async addFirst(): Promise<NodePanel> {
		await this.page.locator(mark('canvas-add-button')).click();
		return await NodePanel.opened(this.page);
	}

	/** The plus in the corner. */
	async addNext(): Promise<NodePanel> {
		await this.page.locator(mark('node-creator-plus-button')).click();
		return await NodePanel.opened(this.page);
	}

	/** Resolves once there are that many nodes. */
	async has(nodes: number): Promise<void> {
		await this.page
			.locator(mark('canvas-node'))
			.nth(nodes - 1)
			.waitFor();
	}
}
