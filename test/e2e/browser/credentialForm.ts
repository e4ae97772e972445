import type { Locator, Page } from 'playwright-core';
import { atLeast } from '../n8n/target';
import { mark } from './chromium';

/** The form in which a person fills in a credential. */
export class CredentialForm {
	private constructor(readonly form: Locator) {}

	static async opened(page: Page): Promise<CredentialForm> {
		const form = page.locator(mark('editCredential-modal')).filter({ visible: true });
		await form.locator(mark('parameter-input-apiKey')).waitFor();
		return new CredentialForm(form);
	}

	/** Pastes into the fields, by their names. */
	async fill(values: Record<string, string>): Promise<void> {
		for (const [field, value] of Object.entries(values)) {
			await this.form
				.locator(mark(`parameter-input-${field}`))
				.locator('input')
				.fill(value);
		}
	}

	/** Presses Save; n8n tests the credential then. */
	async save(): Promise<void> {
		await this.form.locator(mark('credential-save-button')).click();
	}

	/** Saves a credential that works: n8n 2 closes the form then, n8n 1 says so in it. */
	async saveAndClose(): Promise<void> {
		await this.save();
		if (atLeast('2.0')) return await this.form.waitFor({ state: 'hidden' });
		await this.success.waitFor();
		await this.close();
	}

	/** What is said of a credential that works. */
	get success(): Locator {
		return this.form.locator(mark('credentials-config-container-test-success')).filter({ visible: true });
	}

	/** What is said of a credential that was refused, after a click on "More details". */
	async refusal(): Promise<Locator> {
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
