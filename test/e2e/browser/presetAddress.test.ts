import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { startN8n, type N8n } from '../n8n/instance';
import { atLeast, readTarget } from '../n8n/target';
import { Canvas } from './pages/canvas';
import { NodeView } from './pages/nodeView';
import { byTestId } from './pages/testId';
import { countClicks, type User } from './user';
import { createSteps, openEditor } from './window';

/** n8n 1 needs more clicks for a credential. */
const withChromium = readTarget().chromium && atLeast('2.0') ? describe : describe.skip;

withChromium('The editor of an n8n in which the admin has preset Base URL', () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let browser: Browser;
	let page: Page;
	let user: User;
	beforeAll(async () => {
		sandbox = await startSandbox({ settings: { runStageMs: 0, limit: 100_000, resultsPerRun: 3 } });
		const preset = { prospectorApi: { baseUrl: sandbox.baseUrl } };
		n8n = await startN8n({ CREDENTIALS_OVERWRITE_DATA: JSON.stringify(preset) });
		({ browser, page, user } = await openEditor(n8n));
	});
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await sandbox?.close();
	});

	const step = createSteps(() => page);
	step('a person has pinned the leads of a new run after 11 clicks, with an API key alone', async () => {
		const clicksSoFar = await countClicks(page);
		const canvas = new Canvas(user, n8n.baseUrl);
		await canvas.openNewWorkflow();
		const before = clicksSoFar();
		const panel = await canvas.addFirstNode();
		await panel.chooseAction('Run Prospector workflow and get results');
		const node = await NodeView.opened(user);
		const form = await node.createCredential();
		expect(await form.field('baseUrl').count()).toBe(0);
		await form.fill({ apiKey: sandbox.keys.full });
		await form.saveAndClose();
		await node.pick('workflowId', 'Logistics companies');
		await node.execute();
		expect(await node.rows()).toHaveLength(3);
		await user.click(node.output.locator(byTestId('ndv-pin-data')));
		await node.output.getByText('This data is pinned').waitFor();
		expect(clicksSoFar() - before).toBe(11);
	});
});
