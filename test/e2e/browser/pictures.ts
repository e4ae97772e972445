import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Where pictures for the documentation go; a plain test run takes none. */
const FOLDER = process.env.E2E_PICTURES;

export const takesPictures = FOLDER !== undefined;

const MARGIN = 12;

/** Takes a picture of what is around these parts of the page, in light and in dark. */
export async function picture(page: Page, name: string, ...parts: Locator[]): Promise<void> {
	if (FOLDER === undefined) return;
	await closeMessages(page);
	const clip = await around(page, parts);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(async () => {
			await document.fonts.ready;
			await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})));
		});
		await page.screenshot({
			path: join(FOLDER, `${name}-${colorScheme}.png`),
			clip,
			animations: 'disabled',
			caret: 'hide',
		});
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/** What n8n says in the corner for a few seconds is not part of the picture. */
async function closeMessages(page: Page): Promise<void> {
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
}

async function around(page: Page, parts: Locator[]) {
	const boxes = await Promise.all(
		parts.map(async (part) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
	);
	const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
	const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - MARGIN);
	const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - MARGIN);
	const right = Math.min(width, Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN);
	const bottom = Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN);
	return { x: left, y: top, width: right - left, height: bottom - top };
}
