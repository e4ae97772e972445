import type { Page } from '../../test/e2e/browser/window';

/** Notifications, and offers of n8n that are no part of the subject. */
const REMOVED = [
	'.el-notification',
	':has(> [data-test-id="ask-assistant-button"])',
	// The number of items at an output that leads nowhere.
	'.vue-flow__handle [class*="runDataLabel"]',
];

/** Buttons of the canvas, which must stay clickable. */
const TRANSPARENT = [
	'[data-test-id="canvas-handle-plus-wrapper"]',
	'[data-test-id="canvas-controls"]',
	'[data-test-id="workflow-chat-button"]',
];

const STYLE = `
	${REMOVED.join()} { display: none !important; }
	${TRANSPARENT.join()} { opacity: 0 !important; }
	* { caret-color: transparent !important; }
`;

/** Hides them on every page that is opened from now on. */
export async function hideNoise(page: Page): Promise<void> {
	await page.addInitScript(addStyle, STYLE);
}

interface PageGlobals {
	document: {
		addEventListener(event: 'DOMContentLoaded', listener: () => void): void;
		createElement(tag: 'style'): { textContent: string };
		head: { append(element: unknown): void };
	};
}

/** Runs in the page. */
function addStyle(content: string): void {
	const { document } = globalThis as unknown as PageGlobals; // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
	document.addEventListener('DOMContentLoaded', () => {
		const style = document.createElement('style');
		style.textContent = content;
		document.head.append(style);
	});
}
