import type { Locator, Page } from 'playwright-core';
import { eventually } from '../n8n/rest';
import { mark } from './chromium';
import { CredentialForm } from './credentialForm';

/** An opened node: what comes in at the left, its fields, and what comes out at the right. */
export class NodeView {
	private constructor(
		private readonly page: Page,
		readonly view: Locator,
	) {}

	static async opened(page: Page): Promise<NodeView> {
		const view = page.locator(mark('ndv'));
		await view.locator(mark('node-parameters')).first().waitFor();
		return new NodeView(page, view);
	}

	/** Opens the list of credentials and takes "Create new credential". */
	async createCredential(): Promise<CredentialForm> {
		const none = this.view.locator(mark('node-credentials-empty-state'));
		const select = this.view.locator(mark('node-credentials-select'));
		await none.or(select).waitFor();
		// n8n 2 has a button in place of an empty list.
		if (await none.isVisible()) await none.getByRole('button').first().click();
		else {
			await select.click();
			await this.page.locator(mark('node-credentials-select-item-new')).click();
		}
		return await CredentialForm.opened(this.page);
	}

	/** Opens the credential that is chosen. */
	async editCredential(): Promise<CredentialForm> {
		await this.view.locator(mark('credential-edit-button')).click();
		return await CredentialForm.opened(this.page);
	}

	async chooseCredential(name: string): Promise<void> {
		await this.view.locator(mark('node-credentials-select')).click();
		await this.page
			.locator('[data-test-id^="node-credentials-select-item-"]')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.click();
	}

	/** Opens the list behind a field, and gives its entries. */
	async openList(field: string): Promise<Locator> {
		await this.view
			.locator(mark(`resource-locator-${field}`))
			.locator(mark('rlc-input'))
			.click();
		const entries = this.page.locator(mark('rlc-item')).filter({ visible: true });
		await entries.first().waitFor();
		return entries;
	}

	/** What a field shows that was picked from a list. */
	async picked(field: string): Promise<string> {
		return await this.view
			.locator(mark(`resource-locator-${field}`))
			.locator(`${mark('rlc-input')} input, input${mark('rlc-input')}`)
			.inputValue();
	}

	/** Presses "Execute step", or what stands there for a trigger. */
	async execute(): Promise<void> {
		await this.view.locator(mark('node-execute-button')).first().click();
	}

	/** Resolves once nothing turns any more. */
	private async over(): Promise<void> {
		await this.view.locator(mark('node-execute-button')).first().getByText(/\w/).first().waitFor();
	}

	get fields(): Locator {
		return this.view.locator(mark('node-parameters')).first();
	}

	get output(): Locator {
		return this.view.locator(mark('output-panel'));
	}

	/** The items that came out, as JSON. */
	async items(): Promise<Array<Record<string, unknown>>> {
		const json = this.output.locator('.json-data, .vjs-tree').first();
		// While items come in, n8n draws all of this anew, and a click may go nowhere.
		await eventually('the items as JSON', async () => {
			await this.output.locator(mark('radio-button-json')).click();
			return await json.waitFor({ timeout: 2000 }).then(
				() => true,
				() => false,
			);
		});
		await this.over();
		// Indented with spaces that do not break.
		return JSON.parse((await json.innerText()).replaceAll('\u00a0', ' ')) as Array<Record<string, unknown>>;
	}

	/** What a person reads where the step did not succeed. */
	async refusal(): Promise<{ message: string; description: string }> {
		const message = this.output.locator(mark('node-error-message'));
		await message.waitFor();
		await this.over();
		return {
			message: (await message.innerText()).trim(),
			description: (await this.output.locator(mark('node-error-description')).innerText()).trim(),
		};
	}

	async close(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.view.waitFor({ state: 'hidden' });
	}
}
