import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { startN8n, type N8n } from '../n8n/instance';
import { readTarget } from '../n8n/target';
import { Canvas } from './pages/canvas';
import { CredentialForm } from './pages/credentialForm';
import type { NodePanel } from './pages/nodePanel';
import { NodeView } from './pages/nodeView';
import { createSteps, openEditor } from './window';

const MAIN_ACTION = 'Run Prospector workflow and get results';

const ACTIONS = [
	MAIN_ACTION,
	'Run Prospector workflow',
	'Create Prospector workflow',
	'Get Prospector workflow',
	'Get many Prospector workflows',
	'Update Prospector workflow',
	'Delete Prospector workflow',
	'Get run',
	'Get many runs',
	'Get many results',
	'Get identity of API key',
	'Get prospecting settings',
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
		sandbox = await startSandbox({ settings: { runStageMs: 0, limit: 100_000, resultsPerRun: 3 } });
		n8n = await startN8n();
		const editor = await openEditor(n8n);
		({ browser, page } = editor);
		canvas = new Canvas(editor.user, n8n.baseUrl);
	});
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await sandbox?.close();
	});

	const step = createSteps(() => page);
	const startedRuns = () => sandbox.control.runs().started;
	const requests = (operation: string) =>
		sandbox.control.journal().filter((entry) => entry.operation === operation);
	const newestRun = () => sandbox.control.runs().runs.at(-1);

	step('the nodes panel shows the node with its icon when a person searches for "prospector"', async () => {
		await canvas.openNewWorkflow();
		await (await canvas.addFirstNode()).choose('Trigger manually');
		await canvas.waitForNodes(1);
		panel = await canvas.addNode();
		await panel.search('prospector');
		expect(await panel.iconUrl('Prospector')).toMatch(ICON);
		expect(await panel.entryNames()).toEqual(['Prospector']);
	});

	step(
		'the nodes panel lists the actions of the Prospector node and adds the node when a person clicks an action',
		async () => {
			await panel.choose('Prospector');
			await panel.entry(MAIN_ACTION).waitFor();
			// n8n 2 shows the name of the node above the actions.
			expect((await panel.entryNames()).filter((name) => name !== 'Prospector')).toEqual(ACTIONS);
			await panel.choose(MAIN_ACTION);
			node = await NodeView.opened(canvas.user);
			await canvas.waitForNodes(2);
		},
	);

	step('the credential form stays open and explains the failed test if the API key is wrong', async () => {
		const form = await node.createCredential();
		await form.fill({ apiKey: sandbox.keys.revoked, baseUrl: sandbox.baseUrl });
		await form.save();
		const message = (await form.failure()).getByText('The API key was not accepted');
		expect(await message.innerText()).toMatch(
			/^The API key was not accepted \(request req_\w+\)\. .+'API Key'[^.]+\.$/,
		);
	});

	step('the credential test succeeds and the credential form closes if the API key is valid', async () => {
		const form = await CredentialForm.opened(canvas.user);
		await form.fill({ apiKey: sandbox.keys.full });
		await form.saveAndClose();
		const reopened = await node.editCredential();
		await reopened.success.waitFor();
		expect(await reopened.success.innerText()).toContain('Connection tested successfully');
		await reopened.close();
		expect(sandbox.control.journal().map(({ keyName, operation }) => [keyName, operation])).toEqual(
			expect.arrayContaining([
				['revoked', 'getMe'],
				['full', 'getMe'],
			]),
		);
	});

	step('the field shows the name of the Prospector workflow that a person has chosen', async () => {
		const list = await node.openList('workflowId');
		const names = await list.allInnerTexts();
		expect(names.map((name) => name.trim())).toEqual([
			'Logistics companies, Benelux (active)',
			'SaaS companies in Germany, 10–50 people (active)',
			'Clinics opening this quarter (active)',
			'Trade fair follow-up (paused)',
			'Food producers, Northern Italy (active)',
		]);
		await canvas.user.click(list.filter({ hasText: 'Logistics companies' }));
		expect(await node.chosenEntry('workflowId')).toBe('Logistics companies, Benelux (active)');
	});

	step(
		'the node starts one run and outputs its results with a request_id when the step is executed',
		async () => {
			await node.execute();
			const items = await node.items();
			const run = newestRun();
			const [start] = requests('runWorkflow');
			const [list] = requests('listResults');
			expect(items.map(({ company_name }) => company_name).sort()).toEqual([
				'Ostravale Freight GmbH',
				'Scheldekaai Warehousing N.V.',
				'Van Brindle Logistics B.V.',
			]);
			for (const item of items) {
				expect(item).toMatchObject({
					run_id: run?.id,
					run_status: 'completed',
					request_id: list.requestId,
					idempotency_key: start.idempotencyKey,
				});
			}
			expect(startedRuns()).toBe(1);
		},
	);

	step('a hint explains why the node has no output items when a run finds nothing', async () => {
		sandbox.control.patchSettings({ resultsPerRun: 0 });
		await node.execute();
		const hint = await node.hint('found nothing');
		expect(hint).toBe(`Run '${newestRun()?.id}' found nothing (status 'completed').`);
		await node.output.getByText('No output data returned').waitFor();
		expect(startedRuns()).toBe(2);
	});

	step('the output panel shows the status of the run and some advice when the run fails', async () => {
		sandbox.control.patchSettings({ runStatuses: ['queued', 'running', 'failed'] });
		await node.execute();
		const { message, description } = await node.failure('Run');
		expect(message).toMatch(/^Run 'run_\w+' ended as 'failed' \(request req_\w+\)$/);
		expect(message).toContain(newestRun()?.id);
		expect(description).toMatch(
			/^To start a new run, execute the n8n workflow .+\. Retry only checks this one again\. Get its results with Result › Get Many\./,
		);
		expect(startedRuns()).toBe(3);
	});

	step('the output panel says that a read-only API key is not allowed to start runs', async () => {
		const form = await node.createCredential();
		await form.fill({ apiKey: sandbox.keys.readOnlyScope, baseUrl: sandbox.baseUrl });
		await form.saveAndClose();
		await node.execute();
		const { message, description } = await node.failure('This API key');
		const request = requests('runWorkflow').at(-1);
		expect(request).toMatchObject({ keyName: 'read_only_scope', status: 403 });
		expect(message).toBe(`This API key is not allowed to start runs (request ${request?.requestId})`);
		expect(description).toBe(
			`It needs the scope 'prospector.run' and must not belong to a read-only member. Ask a workspace admin for such an API key.`,
		);
		expect(startedRuns()).toBe(3);
		await node.close();
	});

	step('the trigger outputs a recent run when a person tests the trigger in the editor', async () => {
		await canvas.openNewWorkflow();
		panel = await canvas.addFirstNode();
		await panel.search('prospector');
		expect(await panel.iconUrl('Prospector')).toMatch(ICON);
		await panel.choose('Prospector');
		for (const event of ['new result', 'new run', 'run failed', 'run finished', 'run status changed'])
			await panel.entry(`On ${event}`).waitFor();
		await panel.choose('On new run');
		node = await NodeView.opened(canvas.user);
		await node.chooseCredential('Prospector account');
		await canvas.user.click(
			(await node.openList('workflowId')).filter({ hasText: 'SaaS companies in Germany' }),
		);
		await page.getByText('Returns up to ten recent items. Nothing is stored.').waitFor();
		await node.execute();
		const [item] = await node.items();
		expect(item).toMatchObject({ status: expect.any(String), request_id: expect.any(String) });
	});
});
