import type { Page } from '../../test/e2e/browser/window';
import type { NodeView } from '../../test/e2e/browser/pages/nodeView';

/** Scrolls the output table and resizes the window so that the panel shows exactly these columns. */
export async function showColumns(page: Page, node: NodeView, first: string, last: string): Promise<void> {
	const column = (name: string) =>
		node.output.locator('thead th').filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });
	// The panel grows by half of what the window grows, and columns grow with the panel.
	for (let attempt = 0; attempt < 4; attempt++) {
		await column(first).evaluate(scrollTo);
		const [left, right, panel] = await Promise.all(
			[column(first), column(last), node.output].map(async (part) => (await part.boundingBox())!),
		);
		const missing = Math.ceil(right.x + right.width - left.x - panel.width);
		if (missing === 0) break;
		const { width, height } = page.viewportSize()!;
		await page.setViewportSize({ width: width + 2 * missing, height });
	}
}

/** Runs in the page. */
function scrollTo(column: unknown): void {
	const { scrollIntoView } = column as { scrollIntoView(options: object): void };
	scrollIntoView.call(column, { inline: 'start', block: 'nearest' });
}
