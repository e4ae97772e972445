/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error, no-console -- not published */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import { logIn } from './pages/canvas';
import type { N8n } from '../n8n/instance';
import { readTarget } from '../n8n/target';
import { User } from './user';

// tools/ can't import the package itself.
export type { Browser, Locator, Page } from 'playwright-core';

/** Also enough on a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Opens the editor in the machine's Chromium and logs in as the owner. Close its `browser` in the end.
 * @param scale pixels of the screen per CSS pixel
 */
export async function openEditor(
	n8n: N8n,
	{ scale = 1 } = {},
): Promise<{ browser: Browser; user: User; page: Page }> {
	const args = ['--disable-gpu', '--disable-quic'];
	const browser = await chromium.launch({ executablePath: readTarget().chromium, args });
	const context = await browser.newContext({
		viewport: { width: 1400, height: 800 },
		deviceScaleFactor: scale,
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: n8n.baseUrl });
	const page = await context.newPage();
	page.setDefaultTimeout(TIMEOUT_MS);
	await logIn(page, n8n.baseUrl);
	if (process.env.E2E_SLOW) await slowDown(page);
	return { browser, user: new User(page), page };
}

/** Delays each request to n8n by a random time and slows the browser down, which shows what a test doesn't wait for. */
async function slowDown(page: Page): Promise<void> {
	await page.route('**/rest/**', async (route) => {
		await pause(Math.random() * 1500);
		// The page can have gone meanwhile.
		await route.continue().catch(() => {});
	});
	const session = await page.context().newCDPSession(page);
	await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
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
			hasFailed = true;
			await withScreenshot(getPage, act);
			hasFailed = false;
		});
}

/** Saves a screenshot and prints the text of the page if a function throws. Of a remote machine, only the text remains. */
export async function withScreenshot<T>(getPage: () => Page | undefined, act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (error) {
		const path = join(process.env.E2E_SCREENS ?? tmpdir(), `prospector-screen-${Date.now()}.png`);
		await getPage()?.screenshot({ path });
		console.error(`Screenshot: ${path}\n${await getPage()?.locator('body').innerText()}`);
		throw error;
	}
}
