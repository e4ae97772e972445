import { chromium, type Browser, type Page } from 'playwright-core';
import { readTarget } from '../n8n/target';

/** Nothing of the machine's graphics or network is needed, and nothing but the page is fetched. */
const QUIET = [
	'--no-sandbox',
	'--disable-dev-shm-usage',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Time for something to appear on the screen, on a busy machine too. */
const TIMEOUT_MS = 60_000;

/** A window of the machine's Chromium; close its `browser` in the end. */
export async function openWindow(): Promise<{ browser: Browser; page: Page }> {
	const browser = await chromium.launch({
		executablePath: readTarget().chromium,
		headless: true,
		args: QUIET,
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

/** n8n marks what its own tests look for; both of its editors use the same marks. */
export const mark = (name: string) => `[data-test-id="${name}"]`;
