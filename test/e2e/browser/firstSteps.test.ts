import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { PATIENT } from '../bench';
import { startN8n, type N8n } from '../n8n/instance';
import { freePortFrom } from '../n8n/ports';
import { readTarget } from '../n8n/target';
import { Canvas, logIn } from './canvas';
import { openWindow } from './chromium';
import type { NodePanel } from './nodePanel';
import { NodeView } from './nodeView';
import { picture, takesPictures } from './pictures';
import { isRed, story } from './story';

/** The same times and ids in every picture. */
const MORNING = () => Date.parse('2026-03-02T08:00:00.000Z');

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
			port: takesPictures ? await freePortFrom(4010) : 0,
			settings: { runStageMs: 0, limit: 100_000 },
			clock: MORNING,
		});
		n8n = await startN8n();
		({ browser, page } = await openWindow());
		await logIn(page, n8n.baseUrl);
		canvas = new Canvas(page, n8n.baseUrl);
	}, PATIENT);
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await sandbox?.close();
	});

	const step = story(() => page);
	const started = () => sandbox.control.runs().started;
	const keyed = (apiKey: string) => ({ apiKey, baseUrl: sandbox.baseUrl });

	step('a search for "prospector" finds the node, with its icon', async () => {
		await canvas.openNew();
		await (await canvas.addFirst()).choose('Trigger manually');
		await canvas.has(1);
		panel = await canvas.addNext();
		await panel.search('prospector');
		expect(await panel.iconOf('Prospector')).toMatch(/\/prospector(\.dark)?\.svg$/);
		expect(await panel.listed()).toEqual(['Prospector']);
		await picture(page, 'node-search', { x: 600, y: 0, width: 800, height: 520 });
	});

	step('it offers all that it can do, and the chosen action is on the canvas', async () => {
		await panel.choose('Prospector');
		await panel.entry('Run Prospector workflow').waitFor();
		// n8n 2 writes the node's name above them.
		expect((await panel.listed()).filter((name) => name !== 'Prospector')).toEqual(ACTIONS);
		await picture(page, 'actions', [panel.panel]);
		await panel.choose('Run Prospector workflow');
		node = await NodeView.opened(page);
		await canvas.has(2);
	});

	step('the credential that is made in the node is tested', async () => {
		const form = await node.createCredential();
		await form.fill(keyed(sandbox.keys.full));
		await form.saveAndClose();
		const again = await node.editCredential();
		await again.success.waitFor();
		expect(await again.success.innerText()).toContain('Connection tested successfully');
		await picture(page, 'credential-tested', [again.form], 510);
		await again.close();
		expect(sandbox.control.journal().map(({ keyName, operation }) => [keyName, operation])).toContainEqual([
			'full',
			'getMe',
		]);
	});

	step('the Prospector workflow is picked from a list of names', async () => {
		const list = await node.openList('workflowId');
		const names = await list.allInnerTexts();
		expect(names.map((name) => name.trim())).toEqual([
			'Trade fair follow-up (paused) · 2026-02-27 08:00 UTC',
			'Clinics opening this quarter (active) · 2026-02-21 08:00 UTC',
			'Logistics leads, Benelux (active) · 2026-02-09 08:00 UTC',
			'SaaS founders in Germany (active) · 2026-01-31 08:00 UTC',
		]);
		await picture(page, 'workflow-picked-from-list', [node.fields], 440);
		await list.filter({ hasText: 'SaaS founders in Germany' }).click();
		expect(await node.picked('workflowId')).toMatch(/^SaaS founders in Germany/);
	});

	step('the executed step starts one run and shows its item with request_id', async () => {
		await node.execute();
		const items = await node.items();
		const [request] = sandbox.control.journal().filter(({ operation }) => operation === 'runWorkflow');
		const [run] = sandbox.control.runs().runs.filter(({ origin }) => origin === 'request');
		expect(items).toEqual([
			expect.objectContaining({ id: run.id, status: 'completed', request_id: request.requestId }),
		]);
		expect(started()).toBe(1);
		await picture(page, 'output-with-request-id', [node.fields, node.output], 442);
	});

	step('a refused start is explained where its items would be', async () => {
		const form = await node.createCredential();
		await form.fill(keyed(sandbox.keys.readOnlyScope));
		await form.saveAndClose();
		await node.execute();
		const { message, description } = await node.refusal();
		const refused = sandbox.control.journal().at(-1);
		expect(refused).toMatchObject({ keyName: 'read_only_scope', operation: 'runWorkflow', status: 403 });
		expect(message).toBe(`This API key may not start runs (request ${refused?.requestId})`);
		expect(description).toContain(
			"It needs the scope 'prospector.run', and the membership that issued it must not be read-only. Ask an admin of the workspace for such a key.",
		);
		expect(started()).toBe(1);
		await picture(page, 'refusal-explained', [node.fields, node.output], 442);
	});

	step('a credential with a revoked key says so in red', async () => {
		const form = await node.createCredential();
		await form.fill(keyed(sandbox.keys.revoked));
		await form.save();
		const refusal = await form.refusal();
		const words = refusal.getByText('The API key was not accepted');
		expect(await words.innerText()).toMatch(
			/^The API key was not accepted \(request req_\w+\)\. It is missing, malformed, revoked or expired; .+ Paste a current key into 'API Key'\.$/,
		);
		expect(await isRed(refusal.getByText('Couldn’t connect with these settings'))).toBe(true);
		await picture(page, 'credential-refused', [form.form], 545);
		await form.close();
		await node.close();
	});

	step('the search finds the trigger too, and it shows what it would start with', async () => {
		await canvas.openNew();
		panel = await canvas.addFirst();
		await panel.search('prospector');
		expect(await panel.iconOf('Prospector')).toMatch(/\/prospector(\.dark)?\.svg$/);
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
