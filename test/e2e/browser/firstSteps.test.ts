import type { Page } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { Prospector } from '../../built';
import { closeAfterAll } from '../closeAfterAll';
import { startN8n, WITH_EDITOR, type N8n } from '../n8n/instance';
import { atLeast, readTarget } from '../n8n/target';
import { Canvas } from './pages/canvas';
import { CredentialForm } from './pages/credentialForm';
import type { NodePanel } from './pages/nodePanel';
import { NodeView } from './pages/nodeView';
import { byTestId } from './pages/testId';
import { countClicks, type User } from './user';
import { createSteps, openEditor } from './window';

const MAIN_ACTION = 'Run Prospector workflow and get results';

/** In the order of the editor, which test/unit/approved/descriptions.json has. */
const ACTIONS = new Prospector().description.properties.flatMap(({ options = [] }) =>
	options.flatMap((option) => ('action' in option ? [option.action] : [])),
);

const ICON = /\/prospector(\.dark)?\.svg$/;

const withChromium = readTarget().chromium ? describe : describe.skip;

withChromium('First steps in the editor, with mouse and keyboard', () => {
	const closeLater = closeAfterAll();
	let sandbox: Sandbox;
	let n8n: N8n;
	let page: Page;
	let user: User;
	let clicksSoFar: () => number;
	let canvas: Canvas;
	let panel: NodePanel;
	let node: NodeView;
	beforeAll(async () => {
		const settings = { runStageMs: 0, limit: 100_000, resultsPerRun: 3 };
		sandbox = closeLater(await startSandbox({ settings }));
		const CREDENTIALS_OVERWRITE_DATA = JSON.stringify({ prospectorApi: { baseUrl: sandbox.baseUrl } });
		n8n = closeLater(await startN8n({ ...WITH_EDITOR, CREDENTIALS_OVERWRITE_DATA }));
		const editor = await openEditor(n8n);
		closeLater(editor.browser);
		({ page, user } = editor);
		clicksSoFar = await countClicks(page);
		canvas = new Canvas(user, n8n.baseUrl);
	});

	const step = createSteps(() => page);
	const startedRuns = () => sandbox.control.runs().started;
	const newestRun = () => sandbox.control.runs().runs.at(-1);

	/** Counts the clicks from an empty n8n workflow. Then removes the credential and the runs. */
	async function countClicksFromStart(act: () => Promise<void>): Promise<number> {
		await canvas.openNewWorkflow();
		const before = clicksSoFar();
		await act();
		const clicks = clicksSoFar() - before;
		for (const { id } of await n8n.rest.get<Array<{ id: string }>>('/rest/credentials'))
			await n8n.rest.call('DELETE', `/rest/credentials/${id}`);
		sandbox.control.reset();
		return clicks;
	}

	// In n8n 1, a credential needs more clicks.
	const stepInN8n2 = atLeast('2.0') ? step : () => {};

	stepInN8n2(
		'a person has pinned the leads of a new run after 11 clicks, with an API key alone, if the admin has preset Base URL',
		async () => {
			const clicks = await countClicksFromStart(async () => {
				panel = await canvas.addFirstNode();
				await panel.chooseAction(MAIN_ACTION);
				node = await NodeView.opened(user);
				const form = await node.createCredential();
				expect(await form.field('baseUrl').count()).toBe(0);
				await form.fill({ apiKey: sandbox.keys.full });
				await form.saveAndClose();
				await node.pick('workflowId', 'Logistics companies');
				await node.execute();
				expect(await node.rows()).toHaveLength(3);
				await user.click(node.output.locator(byTestId('ndv-pin-data')));
				await node.output.getByText('This data is pinned').waitFor();
			});
			expect(clicks).toBe(11);
		},
	);

	step('a person sees the leads of recent runs after 8 clicks', async () => {
		// From now on, nothing is preset.
		await n8n.kill();
		delete n8n.env.CREDENTIALS_OVERWRITE_DATA;
		await n8n.start();
		const clicks = await countClicksFromStart(async () => {
			panel = await canvas.addFirstNode();
			await panel.search('prospector');
			expect(await panel.iconUrl('Prospector')).toMatch(ICON);
			await panel.choose('Prospector');
			for (const event of ['On new run', 'On run failed', 'On run finished', 'On run status changed'])
				await panel.entry(event).waitFor();
			await panel.choose('On new result');
			node = await NodeView.opened(user);
			const form = await node.createCredential();
			await form.fill({ apiKey: sandbox.keys.full, baseUrl: sandbox.baseUrl });
			await form.saveAndClose();
			await page.getByText('Shows up to ten of the newest items. No run is started.').waitFor();
			await node.execute();
			const rows = await node.rows();
			expect(rows.map((row) => row.company_name)).toContain('Northmere Eye Clinic Ltd');
			expect(startedRuns()).toBe(0);
		});
		// n8n 1 needs more: it has a list instead of a button, and its credential form stays open.
		if (atLeast('2.0')) expect(clicks).toBe(8);
	});

	step(
		'the nodes panel lists the actions of the Prospector node and adds the node when a person clicks an action',
		async () => {
			await canvas.openNewWorkflow();
			await (await canvas.addFirstNode()).choose('Trigger manually');
			await canvas.waitForNodes(1);
			panel = await canvas.addNode();
			await panel.search('prospector');
			await panel.entry('Prospector').waitFor();
			expect(await panel.entryNames()).toEqual(['Prospector']);
			await panel.choose('Prospector');
			await panel.entry(MAIN_ACTION).waitFor();
			// n8n 2 shows the name of the node above the actions.
			expect((await panel.entryNames()).filter((name) => name !== 'Prospector')).toEqual(ACTIONS);
			await panel.choose(MAIN_ACTION);
			node = await NodeView.opened(user);
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

	step('the credential form closes if the API key is valid', async () => {
		const form = await CredentialForm.opened(user);
		await form.fill({ apiKey: sandbox.keys.full });
		await form.saveAndClose();
	});

	step('the field shows the name of the Prospector workflow that a person has chosen', async () => {
		const list = await node.openList('workflowId');
		const names = await list.allInnerTexts();
		expect(names.map((name) => name.trim().replace('\u00a0', ' '))).toEqual([
			'Logistics companies, Benelux (active)',
			'SaaS companies in Germany, 10–50 people (active)',
			'Clinics opening this quarter (active)',
			'Trade fair follow-up (paused)',
			'Food producers, Northern Italy (active)',
		]);
		await user.click(list.filter({ hasText: 'Logistics companies' }));
		expect(await node.chosenEntry('workflowId')).toBe('Logistics companies, Benelux\u00a0(active)');
	});

	step('a hint explains why the node has no output items when a run finds nothing', async () => {
		sandbox.control.patchSettings({ resultsPerRun: 0 });
		await node.execute();
		const hint = await node.hint('found nothing');
		expect(hint).toBe(`Run '${newestRun()?.id}' (completed) found nothing.`);
		await node.output.getByText('No output data returned').waitFor();
		expect(startedRuns()).toBe(1);
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
		expect(startedRuns()).toBe(2);
	});
});
