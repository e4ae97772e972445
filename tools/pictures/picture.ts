/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../test/e2e/browser/window';
import { packageTexts } from './packageTexts';
import { ANIMATION, pictureFile, PICTURES, readRecords, sha256, addRecord } from './record';
import type { Box } from './boxes';
import type { FilmedUser } from './filmedUser';
import { visibleTexts } from './visibleTexts';

/** Whether to write the pictures. Usual test runs compare the visible texts with the recorded ones. */
const writesPictures = process.env.E2E_PICTURES !== undefined;

/** Takes a picture of a part of the page and records the texts in it. */
export async function takePicture(page: Page, name: string, box: Box): Promise<void> {
	await page.evaluate(fontsAndImagesLoaded);
	const texts = await packageTextsIn(page, box);
	await writeOrCompare(name, texts, async () => await capture(page, box));
}

/** Is at the end of a message. */
const REQUEST_ID = / \(request req_\w+\)$/;

/** Returns the package's texts in a part of the page, sorted. */
export async function packageTextsIn(page: Page, box: Box): Promise<string[]> {
	const known = packageTexts();
	const texts = [...(await visibleTexts(page, box))].map((text) => text.replace(REQUEST_ID, ''));
	return texts.filter((text) => known.has(text)).sort();
}

/** GitHub shows larger files late. */
const MAX_ANIMATION_BYTES = 2_000_000;
const MAX_ANIMATION_MS = 16_000;

/** Saves what a person has done as an animation. */
export async function saveAnimation(user: FilmedUser): Promise<void> {
	expect(user.durationMs).toBeLessThan(MAX_ANIMATION_MS);
	await writeOrCompare(ANIMATION, user.shownTexts, async () => {
		const gif = await user.toGif();
		expect(gif.length).toBeLessThan(MAX_ANIMATION_BYTES);
		return gif;
	});
}

async function writeOrCompare(name: string, texts: string[], draw: () => Promise<Buffer>): Promise<void> {
	if (!writesPictures) {
		expect(texts).toEqual(readRecords()[name]?.texts);
		return;
	}
	const content = await draw();
	writeFileSync(join(PICTURES, pictureFile(name)), content);
	addRecord(name, { texts, sha256: sha256(content) });
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
export async function fontsAndImagesLoaded(): Promise<void> {
	const { document } = globalThis as unknown as PageGlobals;
	await document.fonts.ready;
	await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})));
}
