import type { Locator, Page } from 'playwright-core';
import { mark } from './chromium';

/** The panel at the right in which a person looks for a node and what it can do. */
export class NodePanel {
	private constructor(readonly panel: Locator) {}

	static async opened(page: Page): Promise<NodePanel> {
		const panel = page.locator(mark('node-creator'));
		await panel.locator(mark('node-creator-search-bar')).waitFor();
		return new NodePanel(panel);
	}

	async search(words: string): Promise<void> {
		await this.panel.locator(mark('node-creator-search-bar')).fill(words);
	}

	/** What is listed under exactly this name. */
	entry(name: string): Locator {
		return this.panel.locator(mark('item-iterator-item')).filter({
			has: this.panel.page().locator(mark('node-creator-item-name')).getByText(name, { exact: true }),
		});
	}

	async choose(name: string): Promise<void> {
		await this.entry(name).click();
	}

	/** Names of what is listed, without headings. */
	async listed(): Promise<string[]> {
		return (await this.panel.locator(mark('node-creator-item-name')).allInnerTexts()).map((name) =>
			name.trim(),
		);
	}

	/** The address of the icon of an entry, once it has been drawn. */
	async iconOf(name: string): Promise<string> {
		const icon = this.entry(name).locator('img').first();
		await icon.waitFor();
		return await icon.evaluate(async (image: { src: string; decode(): Promise<void> }) => {
			await image.decode();
			return image.src;
		});
	}
}
