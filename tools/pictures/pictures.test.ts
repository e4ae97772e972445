import type { Browser, Page } from '../../test/e2e/browser/window';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';
import { startScriptedModel, type ScriptedModel } from '../../test/agent/scriptedModel';
import type { Credentials } from '../../test/e2e/n8n/credentials';
import { node, PROSPECTOR } from '../../test/nodes';
import { startN8n, WITH_EDITOR, type N8n } from '../../test/e2e/n8n/instance';
import { readTarget } from '../../test/e2e/n8n/target';
import { manualWorkflow, Workflows } from '../../test/e2e/n8n/workflows';
import { startMailServer, type MailServer } from '../../test/e2e/outside/mailServer';
import { formUrl } from '../../test/e2e/templates/form';
import { importTemplate } from '../../test/e2e/templates/importTemplate';
import { Canvas } from '../../test/e2e/browser/pages/canvas';
import type { NodeView } from '../../test/e2e/browser/pages/nodeView';
import { createSteps, openEditor } from '../../test/e2e/browser/window';
import { createCredential } from '../../test/e2e/n8n/credentials';
import { boxAround, cutBelow } from './boxes';
import { filmFirstLead } from './firstLead';
import { FormAndMail } from './formAndMail';
import { hideNoise } from './hideNoise';
import { saveAnimation, takePicture } from './picture';
import { agent, agentScript, picked, QUESTION } from './scenes';
import { showColumns } from './tableColumns';

const withChromium = readTarget().chromium ? describe : describe.skip;

const MAIN_ACTION = 'Run Prospector workflow and get results';

withChromium('Pictures of the documentation', () => {
	let sandbox: Sandbox;
	let model: ScriptedModel;
	let mailServer: MailServer;
	let n8n: N8n;
	let browser: Browser;
	let page: Page;
	let canvas: Canvas;
	let workflows: Workflows;
	let now = Date.parse('2026-03-02T06:00:11.804Z');

	beforeAll(async () => {
		sandbox = await startSandbox({
			settings: { runStageMs: 25_000, resultsPerRun: 5, limit: 100_000 },
			clock: () => now,
			// A run of the service takes longer than anyone wants to wait here.
			onRequest: ({ operation }) => {
				if (operation === 'getRun') now += 30_000;
			},
		});
		model = await startScriptedModel();
		mailServer = await startMailServer();
		n8n = await startN8n(WITH_EDITOR);
		workflows = new Workflows(n8n.rest);
		const editor = await openEditor(n8n, { scale: 2 });
		({ browser, page } = editor);
		await hideNoise(page);
		canvas = new Canvas(editor.user, n8n.baseUrl);
	});
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await model?.close();
		await mailServer?.close();
		await sandbox?.close();
	});
	const step = createSteps(() => page);

	const prospectorCredential = async (name: string, apiKey: string) =>
		await createCredential(n8n.rest, name, 'prospectorApi', { apiKey, baseUrl: sandbox.baseUrl });
	let credentials: Credentials;

	const logisticsId = () => {
		const { runs } = sandbox.control.runs();
		return runs.find(({ finalResults }) => finalResults === 15)!.workflowId;
	};
	async function openMainAction(chosen: Credentials): Promise<NodeView> {
		const workflowId = picked(logisticsId(), 'Logistics companies, Benelux (active)');
		const { id } = await workflows.create(
			manualWorkflow(node(MAIN_ACTION, PROSPECTOR, { workflowId }, { credentials: chosen })),
		);
		await canvas.openWorkflow(id);
		return await canvas.openNode(MAIN_ACTION);
	}

	// The first step, because n8n has no credential yet.
	step('the animation shows the way from an empty canvas to the first leads', async () => {
		await saveAnimation(await filmFirstLead(n8n, sandbox));
		sandbox.control.reset();
	});

	step('the picture "actions" shows the list of actions of the Prospector node', async () => {
		await page.setViewportSize({ width: 1400, height: 1000 });
		await canvas.openNewWorkflow();
		await (await canvas.addFirstNode()).choose('Trigger manually');
		await canvas.waitForNodes(1);
		const panel = await canvas.addNode();
		await panel.search('prospector');
		await panel.choose('Prospector');
		await panel.entry(MAIN_ACTION).waitFor();
		const actions = (await panel.entryNames()).filter((name) => name !== 'Prospector');
		const box = await cutBelow(await boxAround(panel.panel), panel.entry(actions.at(-1)!));
		await takePicture(page, 'actions', box);
	});

	step('the picture "credential" shows the credential form after a successful credential test', async () => {
		await page.setViewportSize({ width: 1400, height: 900 });
		credentials = await prospectorCredential('Prospector account', sandbox.keys.full);
		const view = await openMainAction(credentials);
		const form = await view.editCredential();
		await form.success.waitFor();
		await form
			.field('baseUrl')
			.evaluate((field, url) => ((field as { value?: string }).value = url), 'https://app.example.com');
		const box = await cutBelow(await boxAround(form.form), form.field('allowedHttpRequestDomains'));
		await takePicture(page, 'credential', box);
		await form.close();
	});

	step('the picture "picker" shows the list from which a person chooses a Prospector workflow', async () => {
		const view = await openMainAction(credentials);
		const list = await view.openList('workflowId');
		await list.nth(4).waitFor();
		const box = await cutBelow(await boxAround(view.fields), list.last());
		await takePicture(page, 'picker', box);
	});

	step('the picture "results-table" shows one row for each company that the run found', async () => {
		await page.setViewportSize({ width: 1900, height: 900 });
		sandbox.control.patchSettings({ listOrder: 'oldest' });
		const view = await openMainAction(credentials);
		await view.execute();
		expect(await view.rows()).toHaveLength(5);
		await showColumns(page, view, 'company_name', 'created_at');
		const box = await cutBelow(await boxAround(view.fields, view.output), view.field('simplify'));
		await takePicture(page, 'results-table', box);
	});

	step('the picture "trigger" shows the newest results of all Prospector workflows', async () => {
		const parameters = { event: 'newResult', watch: 'all' };
		const trigger = node('Prospector Trigger', `${PROSPECTOR}Trigger`, parameters, { credentials });
		const { id } = await workflows.create({ nodes: [trigger], connections: {} });
		await canvas.openWorkflow(id);
		const view = await canvas.openNode('Prospector Trigger');
		await view.execute();
		await view.rows();
		await showColumns(page, view, 'company_name', 'created_at');
		const box = await cutBelow(
			await boxAround(view.fields, view.output),
			view.output.locator('tbody tr').last(),
		);
		await takePicture(page, 'trigger', box);
	});

	step('the picture "refusal" shows the message for an API key that cannot start runs', async () => {
		await page.setViewportSize({ width: 1500, height: 900 });
		const readOnly = await prospectorCredential('Read-only API key', sandbox.keys.readOnlyScope);
		const view = await openMainAction(readOnly);
		await view.execute();
		await view.failure('This API key');
		const box = await cutBelow(await boxAround(view.fields, view.output), view.field('simplify'));
		await takePicture(page, 'refusal', box);
	});

	step('the picture "agent" shows an answer of the AI agent about the results of a run', async () => {
		const openAi = await createCredential(n8n.rest, 'OpenAI account', 'openAiApi', {
			apiKey: 'no-key',
			url: model.url,
		});
		const { id } = await workflows.create(agent({ ...credentials, ...openAi }));
		model.follow(...agentScript(logisticsId()));
		await page.setViewportSize({ width: 960, height: 1000 });
		await canvas.openWorkflow(id);
		await canvas.openChat();
		await canvas.chat(QUESTION, 'Van Brindle');
		await page.getByText('3 items total').waitFor();
		const chat = await boxAround(canvas.chatPanel);
		const top = 90;
		await takePicture(page, 'agent', { ...chat, y: top, height: chat.y + chat.height - top });
	});

	step('the picture "template-form-email" shows the form and the e-mail with the leads', async () => {
		// The run finds the same companies as in the pictures before.
		sandbox.control.reset();
		sandbox.control.patchSettings({ listOrder: 'oldest' });
		const smtp = await createCredential(n8n.rest, 'SMTP account', 'smtp', mailServer.credential);
		const { id } = await importTemplate({ workflows }, 'form-to-email.json', {
			credentials: { ...(await prospectorCredential('Form', sandbox.keys.full)), ...smtp },
			parameters: {
				'Sender of the e-mails': { 'assignments.assignments.0.value': 'leads@example.com' },
			},
		});
		await workflows.activate({ id });
		const url = await formUrl(n8n, await workflows.get(id));
		const scene = new FormAndMail(page, n8n.baseUrl);
		const form = await scene.submit(url, 'ada@example.com', 'Logistics companies, Benelux');
		const mail = await mailServer.firstMailTo('ada@example.com');
		await takePicture(page, 'template-form-email', await scene.show(form, mail));
	});
});
