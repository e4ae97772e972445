import type { Locator, Page, Request } from 'playwright-core';
import { eventually } from '../../../eventually';
import type { User } from '../user';
import { CredentialForm } from './credentialForm';
import { byTestId } from './testId';

export class NodeView {
	private readonly page: Page;

	private constructor(
		private readonly user: User,
		private readonly view: Locator,
	) {
		this.page = user.page;
	}

	static async opened(user: User): Promise<NodeView> {
		const view = user.page.locator(byTestId('ndv'));
		await view.locator(byTestId('node-parameters')).first().waitFor();
		return new NodeView(user, view);
	}

	async createCredential(): Promise<CredentialForm> {
		const none = this.view.locator(byTestId('node-credentials-empty-state'));
		const select = this.view.locator(byTestId('node-credentials-select'));
		await none.or(select).waitFor();
		// n8n 2 has a button instead of an empty list.
		if (await none.isVisible()) await this.user.click(none.getByRole('button').first());
		else {
			await this.user.click(select);
			await this.user.click(this.page.locator(byTestId('node-credentials-select-item-new')));
		}
		return await CredentialForm.opened(this.user);
	}

	async editCredential(): Promise<CredentialForm> {
		await this.user.click(this.view.locator(byTestId('credential-edit-button')));
		return await CredentialForm.opened(this.user);
	}

	async chooseCredential(name: string): Promise<void> {
		await this.user.click(this.view.locator(byTestId('node-credentials-select')));
		await this.user.click(
			this.page
				.locator('[data-test-id^="node-credentials-select-item-"]')
				.filter({ has: this.page.getByText(name, { exact: true }) }),
		);
	}

	/** Opens the list of a field and returns its entries. */
	async openList(field: string): Promise<Locator> {
		await this.user.click(
			this.view.locator(byTestId(`resource-locator-${field}`)).locator(byTestId('rlc-input')),
		);
		const entries = this.page.locator(byTestId('rlc-item')).filter({ visible: true });
		await entries.first().waitFor();
		return entries;
	}

	async pick(field: string, entry: string): Promise<void> {
		await this.user.click((await this.openList(field)).filter({ hasText: entry }).first());
		await eventually(`'${entry}' in ${field}`, async () => (await this.chosenEntry(field)).includes(entry));
	}

	/** Replaces the text of a field. A text that begins with `=` becomes an expression. */
	async enter(field: string, text: string): Promise<void> {
		await this.user.fill(
			(await this.assignment(field)) ?? this.field(field).locator('input, textarea'),
			text,
		);
	}

	/** Returns the value with this name of an _Edit Fields_ node. */
	private async assignment(name: string): Promise<Locator | undefined> {
		for (const assignment of await this.fields.locator(byTestId('assignment')).all()) {
			const nameField = assignment.locator(`${byTestId('assignment-name')} input`);
			if ((await nameField.inputValue()) === name)
				return assignment.locator(byTestId('assignment-value')).locator('input, textarea');
		}
		return undefined;
	}

	/** Returns the text of a field with an entry from its list. */
	async chosenEntry(field: string): Promise<string> {
		return await this.view
			.locator(byTestId(`resource-locator-${field}`))
			.locator(`${byTestId('rlc-input')} input, input${byTestId('rlc-input')}`)
			.inputValue();
	}

	/**
	 * Executes the step, or tests the trigger, and watches it until n8n has read how it ended. On a busy machine, n8n can
	 * ignore a click after the last execution, and once did not show an execution that had started sooner.
	 */
	async execute(): Promise<void> {
		const pathOf = (url: string) => new URL(url).pathname;
		const ended = this.page.waitForResponse((response) => /\/executions\/\d+$/.test(pathOf(response.url())));
		const started = eventually('the start of an execution', async () => {
			await this.waitForEnd();
			const isStart = (request: Request) => /\/rest\/workflows\/.*\brun$/.test(pathOf(request.url()));
			const request = this.page.waitForRequest(isStart, { timeout: 10_000 }).catch(() => undefined);
			await this.user.click(this.executeButton);
			return await request;
		});
		await Promise.all([ended, started]);
		await this.waitForEnd();
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

	field(name: string): Locator {
		return this.fields.locator(byTestId(`parameter-input-${name}`)).first();
	}

	get output(): Locator {
		return this.view.locator(byTestId('output-panel'));
	}

	/** Returns the texts of the output table: one object per row, by column. Resolves when there is a row. */
	async rows(): Promise<Array<Record<string, string>>> {
		const table = this.output.locator('table').first();
		await table.locator('tbody tr').first().waitFor();
		await this.waitForEnd();
		const columns = await table.locator('thead th').allInnerTexts();
		const rows = await table.locator('tbody tr').all();
		return await Promise.all(
			rows.map(async (row) => {
				const cells = await row.locator('td').allInnerTexts();
				return Object.fromEntries(cells.map((text, index) => [columns[index]?.trim(), text.trim()]));
			}),
		);
	}

	async hint(words: string): Promise<string> {
		const hint = this.output.getByText(words);
		await hint.waitFor();
		await this.waitForEnd();
		return (await hint.innerText()).trim();
	}

	/**
	 * Returns the texts of a failed step.
	 * @param part of the message, to ignore the message of an earlier execution
	 */
	async failure(part: string): Promise<{ message: string; description: string }> {
		const message = this.output.locator(byTestId('node-error-message')).filter({ hasText: part });
		await message.waitFor();
		await this.waitForEnd();
		return {
			message: (await message.innerText()).trim(),
			description: (await this.output.locator(byTestId('node-error-description')).innerText()).trim(),
		};
	}

	async close(): Promise<void> {
		await this.user.click(
			this.page.locator(`${byTestId('ndv-close-button')}, ${byTestId('back-to-canvas')}`),
		);
		await this.view.waitFor({ state: 'hidden' });
	}
}
