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
				const path = join(process.env.E2E_SCREENS ?? tmpdir(), `prospector-screen-${process.pid}.png`);
				await screen()?.screenshot({ path });
				console.error(`What was on the screen: ${path}`);
				throw error;
			}
		});
}

/** Whether a text is written in a red. */
export async function isRed(text: Locator): Promise<boolean> {
	const [red, green, blue] = await text.evaluate(colourOf);
	return red > 2 * Math.max(green, blue);
}

/** What is used of a page's own globals, by code that runs in the page. */
interface InPage {
	document: { createElement(name: 'canvas'): { getContext(kind: '2d'): Paint } };
	getComputedStyle(element: unknown): { color: string };
}

interface Paint {
	fillStyle: string;
	fillRect(...box: number[]): void;
	getImageData(...box: number[]): { data: Iterable<number> };
}

/** Red, green and blue of a text's colour, 0 to 255, however it is written; runs in the page. */
function colourOf(element: unknown): number[] {
	const { document, getComputedStyle } = globalThis as unknown as InPage;
	const paint = document.createElement('canvas').getContext('2d');
	paint.fillStyle = getComputedStyle(element).color;
	paint.fillRect(0, 0, 1, 1);
	return [...paint.getImageData(0, 0, 1, 1).data];
}
