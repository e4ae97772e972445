import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Where pictures for the documentation go; a plain test run takes none. */
const FOLDER = process.env.E2E_PICTURES;

export const takesPictures = FOLDER !== undefined;

/** What n8n says in the corner for a few seconds is not part of a picture. */
const NO_MESSAGES = '.el-notification { display: none !important; }';

type Box = { x: number; y: number; width: number; height: number };

/**
 * Takes a picture of a part of the page, in light and in dark.
 * @param height pixels from the top of the part, where not all of it matters
 */
export async function picture(
	page: Page,
	name: string,
	part: Locator[] | Box,
	height = Infinity,
): Promise<void> {
	if (FOLDER === undefined) return;
	const box = 'x' in part ? part : await around(part);
	const clip = { ...box, height: Math.min(box.height, height) };
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(allDrawn);
		await page.screenshot({
			path: join(FOLDER, `${name}-${colorScheme}.png`),
			clip,
			animations: 'disabled',
			caret: 'hide',
			style: NO_MESSAGES,
		});
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/** The smallest box that holds all of these. */
async function around(parts: Locator[]): Promise<Box> {
	const boxes = (await Promise.all(parts.map(async (part) => await part.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	return {
		...{ x, y },
		width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
		height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
	};
}

/** What is used of a page's own globals, by code that runs in the page. */
interface InPage {
	document: { fonts: { ready: Promise<unknown> }; images: Iterable<{ decode(): Promise<void> }> };
}

/** Resolves once letters and icons are there; runs in the page. */
async function allDrawn(): Promise<void> {
	const { document } = globalThis as unknown as InPage;
	await document.fonts.ready;
	await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})));
}
