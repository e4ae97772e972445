import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { readTarget } from '../n8n/target';

/** Chromium needs no graphics and fetches only the page. */
const ARGS = [
	'--no-sandbox',
	'--disable-dev-shm-usage',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Also enough on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Opens a window of the machine's Chromium. Close its `browser` in the end. */
export async function openWindow(): Promise<{ browser: Browser; page: Page }> {
	const browser = await chromium.launch({
		executablePath: readTarget().chromium,
		headless: true,
		args: ARGS,
	});
	const page = await browser.newPage({
		viewport: { width: 1400, height: 800 },
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	page.setDefaultTimeout(TIMEOUT_MS);
	return { browser, page };
}

/**
 * Returns a function that defines tests of which each continues where the one before has ended. After a failed one, the
 * others fail at once.
 */
export function createSteps(getPage: () => Page | undefined) {
	let hasFailed = false;
	return (title: string, act: () => Promise<void>) =>
		test(title, async () => {
			if (hasFailed) throw new Error('An earlier step has failed');
			try {
				await act();
			} catch (error) {
				hasFailed = true;
				const path = join(process.env.E2E_SCREENS ?? tmpdir(), `prospector-screen-${process.pid}.png`);
				await getPage()?.screenshot({ path });
				console.error(`Screenshot: ${path}`);
				throw error;
			}
		});
}

/** Folder for the screenshots of the documentation. Usual test runs take none. */
const SCREENSHOTS = process.env.E2E_PICTURES;

export const takesScreenshots = SCREENSHOTS !== undefined;

const HIDE_NOTIFICATIONS = '.el-notification { display: none !important; }';

type Box = { x: number; y: number; width: number; height: number };

/**
 * Takes a screenshot of a part of the page, in light and in dark.
 * @param maxHeight pixels from the top of the part
 */
export async function screenshot(
	page: Page,
	name: string,
	part: Locator[] | Box,
	maxHeight = Infinity,
): Promise<void> {
	if (SCREENSHOTS === undefined) return;
	const box = 'x' in part ? part : await boundingBox(part);
	const clip = { ...box, height: Math.min(box.height, maxHeight) };
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(fontsAndImagesLoaded);
		await page.screenshot({
			path: join(SCREENSHOTS, `${name}-${colorScheme}.png`),
			clip,
			animations: 'disabled',
			caret: 'hide',
			style: HIDE_NOTIFICATIONS,
		});
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

async function boundingBox(parts: Locator[]): Promise<Box> {
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

interface PageGlobals {
	document: { fonts: { ready: Promise<unknown> }; images: Iterable<{ decode(): Promise<void> }> };
}

/** Runs in the page. */
async function fontsAndImagesLoaded(): Promise<void> {
	const { document } = globalThis as unknown as PageGlobals;
	await document.fonts.ready;
	await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})));
}
