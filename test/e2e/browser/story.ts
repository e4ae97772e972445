import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/**
 * Tests of which each goes on where the one before has stopped: after one that fails, the others fail at once.
 * @param screen what a person looks at, of which a picture is kept where a test fails
 */
export function story(screen: () => Page | undefined) {
	let lost = false;
	return (title: string, act: () => Promise<void>) =>
		test(title, async () => {
			if (lost) throw new Error('A step before this one did not succeed');
			try {
				await act();
			} catch (error) {
				lost = true;
				const path = join(tmpdir(), `prospector-screen-${process.pid}.png`);
				await screen()?.screenshot({ path });
				console.error(`What was on the screen: ${path}`);
				throw error;
			}
		});
}

/** Whether a text is written in a red. */
export const isRed = async (text: Locator): Promise<boolean> =>
	await text.evaluate((element) => {
		const paint = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
		paint.fillStyle = getComputedStyle(element).color;
		paint.fillRect(0, 0, 1, 1);
		const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
		return red > 2 * Math.max(green, blue);
	});
