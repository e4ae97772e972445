import type { Locator } from '../../test/e2e/browser/window';

/** A part of the page, in CSS pixels. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

const MARGIN = 10;

/** Returns the smallest box around some parts of the page. */
export async function boxAround(...parts: Locator[]): Promise<Box> {
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

/** Cuts a box off below some part of the page. */
export async function cutBelow(box: Box, last: Locator): Promise<Box> {
	const { y, height } = await boxAround(last);
	return { ...box, height: y + height + MARGIN - box.y };
}
