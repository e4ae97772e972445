import type { Locator, Response } from 'playwright-core';
import { atLeast } from '../../n8n/target';
import type { User } from '../user';
import { byTestId } from './testId';

export class CredentialForm {
	private constructor(
		private readonly user: User,
		readonly form: Locator,
	) {}

	static async opened(user: User): Promise<CredentialForm> {
		const form = user.page.locator(byTestId('editCredential-modal')).filter({ visible: true });
		await form.locator(byTestId('parameter-input-apiKey')).waitFor();
		// n8n shows the fields before it knows the name, and saves nothing without a name.
		await form.locator(byTestId('credential-name')).waitFor();
		return new CredentialForm(user, form);
	}

	async fill(values: Record<string, string>): Promise<void> {
		for (const [field, value] of Object.entries(values)) {
			await this.user.fill(this.field(field), value);
		}
	}

	field(name: string): Locator {
		return this.form.locator(byTestId(`parameter-input-${name}`)).locator('input');
	}

	/** Saves the credential. n8n tests it then. */
	async save(): Promise<void> {
		await this.user.click(this.form.locator(byTestId('credential-save-button')));
	}

	/** Saves a valid credential. n8n 2 closes the form then. */
	async saveAndClose(): Promise<void> {
		if (!atLeast('2.0')) {
			await this.save();
			await this.success.waitFor();
			await this.close();
			return;
		}
		// If a list is opened before n8n has read the credentials again, it stays empty.
		const isReading = (response: Response) => response.url().includes('/credentials/for-workflow');
		await Promise.all([
			this.user.page.waitForResponse(isReading),
			this.save(),
			this.form.waitFor({ state: 'hidden' }),
		]);
	}

	/** The message of a successful test. */
	get success(): Locator {
		return this.form.locator(byTestId('credentials-config-container-test-success')).filter({ visible: true });
	}

	/** Opens the message of a failed test. */
	async failure(): Promise<Locator> {
		await this.user.click(this.form.getByText('More details'));
		return this.form
			.locator('.el-tag')
			.filter({ hasText: 'Couldn’t connect with these settings', visible: true });
	}

	async close(): Promise<void> {
		await this.user.click(this.form.locator('header').getByRole('button', { name: /^close/i }));
		await this.form.waitFor({ state: 'hidden' });
	}
}
