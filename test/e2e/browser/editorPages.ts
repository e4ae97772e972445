import type { Locator, Page } from 'playwright-core';
import { eventually, OWNER } from '../n8n/rest';
import { atLeast } from '../n8n/target';

/** Selects an element by the attribute that n8n's own tests use. */
const byTestId = (id: string) => `[data-test-id="${id}"]`;

export async function logIn(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.fill('input[name="emailOrLdapLoginId"]', OWNER.email);
	await page.fill('input[name="password"]', OWNER.password);
	await page.click(byTestId('form-submit-button'));
	await page.waitForURL(/\/(home|workflow)/);
}

export class Canvas {
	constructor(
		private readonly page: Page,
		private readonly url: string,
	) {}

	async openNewWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.locator(byTestId('canvas-add-button')).waitFor();
	}

	async addFirstNode(): Promise<NodePanel> {
		await this.page.locator(byTestId('canvas-add-button')).click();
		return await NodePanel.opened(this.page);
	}

	async addNode(): Promise<NodePanel> {
		await this.page.locator(byTestId('node-creator-plus-button')).click();
		return await NodePanel.opened(this.page);
	}

	/** Resolves when the canvas has this number of nodes. */
	async waitForNodes(count: number): Promise<void> {
		await this.page
			.locator(byTestId('canvas-node'))
			.nth(count - 1)
			.waitFor();
	}
}

/** The panel on the right in which a person searches for a node and its actions. */
export class NodePanel {
	private constructor(readonly panel: Locator) {}

	static async opened(page: Page): Promise<NodePanel> {
		const panel = page.locator(byTestId('node-creator'));
		await panel.locator(byTestId('node-creator-search-bar')).waitFor();
		return new NodePanel(panel);
	}

	async search(text: string): Promise<void> {
		await this.panel.locator(byTestId('node-creator-search-bar')).fill(text);
	}

	entry(name: string): Locator {
		return this.panel.locator(byTestId('item-iterator-item')).filter({
			has: this.panel.page().locator(byTestId('node-creator-item-name')).getByText(name, { exact: true }),
		});
	}

	async choose(name: string): Promise<void> {
		await this.entry(name).click();
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

/** The form of a credential. */
export class CredentialForm {
	private constructor(readonly form: Locator) {}

	static async opened(page: Page): Promise<CredentialForm> {
		const form = page.locator(byTestId('editCredential-modal')).filter({ visible: true });
		await form.locator(byTestId('parameter-input-apiKey')).waitFor();
		return new CredentialForm(form);
	}

	async fill(values: Record<string, string>): Promise<void> {
		for (const [field, value] of Object.entries(values)) {
			await this.form
				.locator(byTestId(`parameter-input-${field}`))
				.locator('input')
				.fill(value);
		}
	}

	/** Saves the credential. n8n tests it then. */
	async save(): Promise<void> {
		await this.form.locator(byTestId('credential-save-button')).click();
	}

	/** Saves a valid credential. n8n 2 closes the form then. */
	async saveAndClose(): Promise<void> {
		await this.save();
		if (atLeast('2.0')) return await this.form.waitFor({ state: 'hidden' });
		await this.success.waitFor();
		await this.close();
	}

	/** The message of a successful test. */
	get success(): Locator {
		return this.form.locator(byTestId('credentials-config-container-test-success')).filter({ visible: true });
	}

	/** Opens the message of a failed test. */
	async failure(): Promise<Locator> {
		await this.form.getByText('More details').click();
		return this.form
			.locator('.el-tag')
			.filter({ hasText: 'Couldn’t connect with these settings', visible: true });
	}

	async close(): Promise<void> {
		await this.form
			.locator('header')
			.getByRole('button', { name: /^close/i })
			.click();
		await this.form.waitFor({ state: 'hidden' });
	}
}

/** The view of a node with its fields and its output. */
export class NodeView {
	private constructor(
		private readonly page: Page,
		private readonly view: Locator,
	) {}

	static async opened(page: Page): Promise<NodeView> {
		const view = page.locator(byTestId('ndv'));
		await view.locator(byTestId('node-parameters')).first().waitFor();
		return new NodeView(page, view);
	}

	async createCredential(): Promise<CredentialForm> {
		const none = this.view.locator(byTestId('node-credentials-empty-state'));
		const select = this.view.locator(byTestId('node-credentials-select'));
		await none.or(select).waitFor();
		// n8n 2 has a button instead of an empty list.
		if (await none.isVisible()) await none.getByRole('button').first().click();
		else {
			await select.click();
			await this.page.locator(byTestId('node-credentials-select-item-new')).click();
		}
		return await CredentialForm.opened(this.page);
	}

	/** Opens the chosen credential. */
	async editCredential(): Promise<CredentialForm> {
		await this.view.locator(byTestId('credential-edit-button')).click();
		return await CredentialForm.opened(this.page);
	}

	async chooseCredential(name: string): Promise<void> {
		await this.view.locator(byTestId('node-credentials-select')).click();
		await this.page
			.locator('[data-test-id^="node-credentials-select-item-"]')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.click();
	}

	/** Opens the list of a field and returns its entries. */
	async openList(field: string): Promise<Locator> {
		await this.view
			.locator(byTestId(`resource-locator-${field}`))
			.locator(byTestId('rlc-input'))
			.click();
		const entries = this.page.locator(byTestId('rlc-item')).filter({ visible: true });
		await entries.first().waitFor();
		return entries;
	}

	/** Returns the text of a field with an entry from its list. */
	async chosenEntry(field: string): Promise<string> {
		return await this.view
			.locator(byTestId(`resource-locator-${field}`))
			.locator(`${byTestId('rlc-input')} input, input${byTestId('rlc-input')}`)
			.inputValue();
	}

	/** Executes the step, or tests the trigger. */
	async execute(): Promise<void> {
		await this.executeButton.click();
	}

	/** The button has a text when the step has ended. */
	private async waitForEnd(): Promise<void> {
		await this.executeButton.getByText(/\w/).first().waitFor();
	}

	private get executeButton(): Locator {
		return this.view.locator(byTestId('node-execute-button')).first();
	}

	get fields(): Locator {
		return this.view.locator(byTestId('node-parameters')).first();
	}

	get output(): Locator {
		return this.view.locator(byTestId('output-panel'));
	}

	/** Returns the output items. */
	async items(): Promise<Array<Record<string, unknown>>> {
		const json = this.output.locator('.json-data, .vjs-tree').first();
		// n8n renders the panel again while items arrive, so a click can have no effect.
		await eventually('the items as JSON', async () => {
			await this.output.locator(byTestId('radio-button-json')).click();
			return await json.waitFor({ timeout: 2000 }).then(
				() => true,
				() => false,
			);
		});
		await this.waitForEnd();
		// n8n indents with non-breaking spaces.
		return JSON.parse((await json.innerText()).replaceAll('\u00a0', ' ')) as Array<Record<string, unknown>>;
	}

	/** Returns the texts of a failed step. */
	async failure(): Promise<{ message: string; description: string }> {
		const message = this.output.locator(byTestId('node-error-message'));
		await message.waitFor();
		await this.waitForEnd();
		return {
			message: (await message.innerText()).trim(),
			description: (await this.output.locator(byTestId('node-error-description')).innerText()).trim(),
		};
	}

	async close(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.view.waitFor({ state: 'hidden' });
	}
}
