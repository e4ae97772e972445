import type { Locator, Page } from 'playwright-core';

/** Mouse and keyboard of a person. */
export class User {
	constructor(readonly page: Page) {}

	async click(target: Locator): Promise<void> {
		await target.click();
	}

	/** Moves something with the mouse, such as the edge of a panel. */
	async drag(target: Locator, right: number, down: number): Promise<void> {
		const { x, y, width, height } = (await target.boundingBox())!;
		const [startX, startY] = [x + width / 2, y + height / 2];
		await this.page.mouse.move(startX, startY);
		await this.page.mouse.down();
		await this.page.mouse.move(startX + right, startY + down, { steps: 5 });
		await this.page.mouse.up();
	}

	/** Types into the field with the focus. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
	}

	async press(key: string): Promise<void> {
		await this.page.keyboard.press(key);
	}

	/** Replaces the text of a field by pasting, after a click into the field. */
	async fill(field: Locator, text: string): Promise<void> {
		await this.click(field);
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.paste(text);
	}

	/** Copies a text and pastes it where the focus is. */
	async paste(text: string): Promise<void> {
		await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
		await this.page.keyboard.press('ControlOrMeta+V');
	}
}

/**
 * Counts the presses of a mouse button on pages that are opened from now on, also those without a {@link User}.
 *
 * @returns a function that returns the count so far
 */
export async function countClicks(page: Page): Promise<() => number> {
	let clicks = 0;
	await page.exposeFunction('reportClick', () => void clicks++);
	await page.addInitScript({ content: "addEventListener('pointerdown', () => reportClick(), true)" });
	return () => clicks;
}
