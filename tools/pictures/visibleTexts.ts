import type { Page } from '../../test/e2e/browser/window';
import type { Box } from './boxes';

/** Returns the texts in a part of the page, including those in text fields, each once. Covered texts don't count. */
export async function visibleTexts(page: Page, box: Box): Promise<Set<string>> {
	return new Set(await page.evaluate(collectTexts, box));
}

interface Rect extends Box {
	left: number;
	top: number;
}
interface PageNode {
	textContent: string;
	parentElement: PageElement;
}
interface PageElement {
	value: string;
	placeholder: string;
	contains(other: PageElement): boolean;
	getBoundingClientRect(): Rect;
}
interface PageGlobals {
	document: {
		body: PageElement;
		createTreeWalker(root: PageElement, whatToShow: number): { nextNode(): PageNode | null };
		createRange(): { selectNodeContents(node: PageNode): void; getBoundingClientRect(): Rect };
		elementFromPoint(x: number, y: number): PageElement | null;
		querySelectorAll(selector: string): Iterable<PageElement>;
	};
}

/** Runs in the page. */
function collectTexts(box: Box): string[] {
	const { document } = globalThis as unknown as PageGlobals; // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
	const SHOW_TEXT = 4;
	const texts: string[] = [];
	const isVisible = (element: PageElement, { left, top, width, height }: Rect) => {
		if (width === 0 || height === 0) return false;
		const [x, y] = [left + width / 2, top + height / 2];
		if (x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height) return false;
		const topmost = document.elementFromPoint(x, y);
		return topmost !== null && (element.contains(topmost) || topmost.contains(element));
	};
	const add = (text: string) => texts.push(text.replace(/\s+/g, ' ').trim());
	const walker = document.createTreeWalker(document.body, SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const range = document.createRange();
		range.selectNodeContents(node);
		if (isVisible(node.parentElement, range.getBoundingClientRect())) add(node.textContent);
	}
	for (const field of document.querySelectorAll('input, textarea')) {
		if (isVisible(field, field.getBoundingClientRect())) add(field.value || field.placeholder);
	}
	return texts;
}
