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

/** Adds the style when a page has been read. */
const SCRIPT = `document.addEventListener('DOMContentLoaded', () => {
	const style = document.createElement('style');
	style.textContent = ${JSON.stringify(STYLE)};
	document.head.append(style);
});`;

/** Hides them on every page that is opened from now on. */
export async function hideNoise(page: Page): Promise<void> {
	await page.addInitScript({ content: SCRIPT });
}
