import type { Locator } from 'playwright-core';
import type { User } from '../user';
import { byTestId } from './testId';

/** The panel on the right in which a person searches for a node and its actions. */
export class NodePanel {
	private constructor(
		private readonly user: User,
		readonly panel: Locator,
	) {}

	static async opened(user: User): Promise<NodePanel> {
		const panel = user.page.locator(byTestId('node-creator'));
		await panel.locator(byTestId('node-creator-search-bar')).waitFor();
		return new NodePanel(user, panel);
	}

	/** Types into the search field, to which n8n gives the focus. */
	async search(text: string): Promise<void> {
		await this.panel.locator(`${byTestId('node-creator-search-bar')}:focus`).waitFor();
		await this.user.type(text);
	}

	entry(name: string): Locator {
		return this.panel.locator(byTestId('item-iterator-item')).filter({
			has: this.panel.page().locator(byTestId('node-creator-item-name')).getByText(name, { exact: true }),
		});
	}

	async choose(name: string): Promise<void> {
		await this.user.click(this.entry(name));
	}

	/** Chooses an action of the Prospector node, with the mouse alone. */
	async chooseAction(name: string): Promise<void> {
		await this.search('prospector');
		await this.choose('Prospector');
		await this.user.click(this.panel.getByText('Actions ('));
		await this.choose(name);
	}

	/** Returns the names of all entries, without headings. */
	async entryNames(): Promise<string[]> {
		const names = await this.panel.locator(byTestId('node-creator-item-name')).allInnerTexts();
		return names.map((name) => name.trim());
	}

	/** Returns the address of an entry's icon when the icon is loaded. */
	async iconUrl(name: string): Promise<string> {
		const icon = this.entry(name).locator('img').first();
		await icon.waitFor();
		return await icon.evaluate(async (image: { src: string; decode(): Promise<void> }) => {
			await image.decode();
			return image.src;
		});
	}
}
