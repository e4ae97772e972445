import type { Locator, Page } from 'playwright-core';

/** Mouse and keyboard of a person. Counts what the person does. */
export class User {
	clicks = 0;
	pastedTexts = 0;
	/** Pressed keys, except those that paste. */
	keys = 0;

	constructor(readonly page: Page) {}

	async click(target: Locator): Promise<void> {
		this.clicks += 1;
		await target.click();
	}

	/** Moves something with the mouse, such as the edge of a panel. */
	async drag(target: Locator, right: number, down: number): Promise<void> {
		this.clicks += 1;
		const { x, y, width, height } = (await target.boundingBox())!;
		const [startX, startY] = [x + width / 2, y + height / 2];
		await this.page.mouse.move(startX, startY);
		await this.page.mouse.down();
		await this.page.mouse.move(startX + right, startY + down, { steps: 5 });
		await this.page.mouse.up();
	}

	/** Types into the field with the focus. */
	async type(text: string): Promise<void> {
		this.keys += text.length;
		await this.page.keyboard.type(text);
	}

	/** @param key such as `Enter` */
	async press(key: string): Promise<void> {
		this.keys += 1;
		await this.page.keyboard.press(key);
	}

	/** Pastes into the field with the focus. */
	async paste(text: string): Promise<void> {
		this.pastedTexts += 1;
		await this.page.evaluate(copy, text);
		await this.page.keyboard.press('ControlOrMeta+V');
	}

	/** Replaces the text of a field. */
	async fill(field: Locator, text: string): Promise<void> {
		await this.click(field);
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.paste(text);
	}
}

interface PageGlobals {
	navigator: { clipboard: { writeText(text: string): Promise<void> } };
}

/** Runs in the page. */
async function copy(text: string): Promise<void> {
	await (globalThis as unknown as PageGlobals).navigator.clipboard.writeText(text);
}
