import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { startN8n, type N8n } from '../n8n/instance';
import { freePortFrom } from '../n8n/ports';
import { readTarget } from '../n8n/target';
import { Canvas, logIn, NodeView, type NodePanel } from './editorPages';
import { createSteps, openWindow, screenshot, takesScreenshots } from './window';

/** A fixed time, so that every screenshot shows the same times and IDs. */
const clock = () => Date.parse('2026-03-02T08:00:00.000Z');

const ACTIONS = [
	'Get prospecting config',
	'Get identity of API key',
	'Get many results of run',
	'Get run with its status',
	'Get many runs of Prospector workflow',
	'Create Prospector workflow',
	'Delete Prospector workflow',
	'Get Prospector workflow',
	'Get many Prospector workflows',
	'Run Prospector workflow',
	'Update Prospector workflow',
];

const ICON = /\/prospector(\.dark)?\.svg$/;

const withChromium = readTarget().chromium ? describe : describe.skip;

withChromium('First steps in the editor, with mouse and keyboard', () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let browser: Browser;
	let page: Page;
	let canvas: Canvas;
	let panel: NodePanel;
	let node: NodeView;
	beforeAll(async () => {
		sandbox = await startSandbox({
			port: takesScreenshots ? await freePortFrom(4010) : 0,
			settings: { runStageMs: 0, limit: 100_000 },
			clock,
		});
		n8n = await startN8n();
		({ browser, page } = await openWindow());
		await logIn(page, n8n.baseUrl);
		canvas = new Canvas(page, n8n.baseUrl);
	});
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await sandbox?.close();
	});

	const step = createSteps(() => page);
	const startedRuns = () => sandbox.control.runs().started;
	const credentialWith = (apiKey: string) => ({ apiKey, baseUrl: sandbox.baseUrl });

	step('a search for "prospector" finds the node with its icon', async () => {
		await canvas.openNewWorkflow();
		await (await canvas.addFirstNode()).choose('Trigger manually');
		await canvas.waitForNodes(1);
		panel = await canvas.addNode();
		await panel.search('prospector');
		expect(await panel.iconUrl('Prospector')).toMatch(ICON);
		expect(await panel.entryNames()).toEqual(['Prospector']);
		await screenshot(page, 'node-search', { x: 600, y: 0, width: 800, height: 520 });
	});

	step('the node lists its actions, and the chosen one is added to the canvas', async () => {
		await panel.choose('Prospector');
		await panel.entry('Run Prospector workflow').waitFor();
		// n8n 2 shows the name of the node above the actions.
		expect((await panel.entryNames()).filter((name) => name !== 'Prospector')).toEqual(ACTIONS);
		await screenshot(page, 'actions', [panel.panel]);
		await panel.choose('Run Prospector workflow');
		node = await NodeView.opened(page);
		await canvas.waitForNodes(2);
	});

	step('a credential that is created in the node is tested', async () => {
		const form = await node.createCredential();
		await form.fill(credentialWith(sandbox.keys.full));
		await form.saveAndClose();
		const reopened = await node.editCredential();
		await reopened.success.waitFor();
		expect(await reopened.success.innerText()).toContain('Connection tested successfully');
		await screenshot(page, 'credential-tested', [reopened.form], 510);
		await reopened.close();
		expect(sandbox.control.journal().map(({ keyName, operation }) => [keyName, operation])).toContainEqual([
			'full',
			'getMe',
		]);
	});

	step('the Prospector workflow can be chosen from a list of names', async () => {
		const list = await node.openList('workflowId');
		const names = await list.allInnerTexts();
		expect(names.map((name) => name.trim())).toEqual([
			'Trade fair follow-up (paused) · 2026-02-27 08:00 UTC',
			'Clinics opening this quarter (active) · 2026-02-21 08:00 UTC',
			'Logistics leads, Benelux (active) · 2026-02-09 08:00 UTC',
			'SaaS founders in Germany (active) · 2026-01-31 08:00 UTC',
		]);
		await screenshot(page, 'workflow-picked-from-list', [node.fields], 440);
		await list.filter({ hasText: 'SaaS founders in Germany' }).click();
		expect(await node.chosenEntry('workflowId')).toMatch(/^SaaS founders in Germany/);
	});

	step('the executed step starts one run and shows its item with request_id', async () => {
		await node.execute();
		const items = await node.items();
		const [request] = sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow');
		const [run] = sandbox.control.runs().runs.filter(({ origin }) => origin === 'request');
		expect(items).toEqual([
			expect.objectContaining({ id: run.id, status: 'completed', request_id: request.requestId }),
		]);
		expect(startedRuns()).toBe(1);
		await screenshot(page, 'output-with-request-id', [node.fields, node.output], 442);
	});

	step('a step without permission shows message and description in place of its items', async () => {
		const form = await node.createCredential();
		await form.fill(credentialWith(sandbox.keys.readOnlyScope));
		await form.saveAndClose();
		await node.execute();
		const { message, description } = await node.failure();
		const request = sandbox.control.journal().at(-1);
		expect(request).toMatchObject({ keyName: 'read_only_scope', operation: 'runWorkflow', status: 403 });
		expect(message).toBe(`This API key may not start runs (request ${request?.requestId})`);
		expect(description).toContain(
			"It needs the scope 'prospector.run', and the membership that issued it must not be read-only. Ask an admin of the workspace for such a key.",
		);
		expect(startedRuns()).toBe(1);
		await screenshot(page, 'refusal-explained', [node.fields, node.output], 442);
	});

	step('the test of a revoked API key shows why it failed', async () => {
		const form = await node.createCredential();
		await form.fill(credentialWith(sandbox.keys.revoked));
		await form.save();
		const message = (await form.failure()).getByText('The API key was not accepted');
		expect(await message.innerText()).toMatch(
			/^The API key was not accepted \(request req_\w+\)\. It is missing, malformed, revoked or expired; .+ Paste a current key into 'API Key', then test again\. The service said: "Unauthorized"\.$/,
		);
		await screenshot(page, 'credential-refused', [form.form], 545);
		await form.close();
		await node.close();
	});

	step('the search finds the trigger, and its test shows a recent run', async () => {
		await canvas.openNewWorkflow();
		panel = await canvas.addFirstNode();
		await panel.search('prospector');
		expect(await panel.iconUrl('Prospector')).toMatch(ICON);
		await panel.choose('Prospector');
		for (const event of ['On new result', 'On new run', 'On run failed', 'On run status changed'])
			await panel.entry(event).waitFor();
		await panel.choose('On new run');
		node = await NodeView.opened(page);
		await node.chooseCredential('Prospector account');
		await (await node.openList('workflowId')).filter({ hasText: 'SaaS founders in Germany' }).click();
		await node.execute();
		const [item] = await node.items();
		expect(item).toMatchObject({ status: expect.any(String), request_id: expect.any(String) });
	});
});
