import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageTexts } from './packageTexts';
import { PICTURES, readRecords, sha256, writeRecord, type Details } from './record';
import type { Box } from './boxes';
import { visibleTexts } from './visibleTexts';

/** Whether to write the pictures. Usual test runs compare the visible texts with the recorded ones. */
const writesPictures = process.env.E2E_PICTURES !== undefined;

/** Takes a picture of a part of the page and records the texts in it. */
export async function takePicture(page: Page, name: string, box: Box, details: Details = {}): Promise<void> {
	await page.evaluate(fontsAndImagesLoaded);
	const known = packageTexts();
	const texts = [...(await visibleTexts(page, box))].filter((text) => known.has(text)).sort();
	if (!writesPictures) {
		expect({ ...details, texts, sha256: expect.any(String) }).toEqual(readRecords()[name]);
		return;
	}
	const png = await capture(page, box);
	writeFileSync(join(PICTURES, `${name}.png`), png);
	writeRecord(name, { ...details, texts, sha256: sha256(png) });
}

/** Narrow parts are shown as large as wide ones, so they get more pixels. */
const MIN_PIXELS = 1000;

async function capture(page: Page, box: Box): Promise<Buffer> {
	const scale = box.width * 2 < MIN_PIXELS ? 3 : 2;
	const session = await page.context().newCDPSession(page);
	const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip: { ...box, scale } });
	await session.detach();
	return Buffer.from(data, 'base64');
}

interface PageGlobals {
	document: { fonts: { ready: Promise<unknown> }; images: Iterable<{ decode(): Promise<void> }> };
}

/** Runs in the page. */
async function fontsAndImagesLoaded(): Promise<void> {
	const { document } = globalThis as unknown as PageGlobals;
	await document.fonts.ready;
	await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})));
}
