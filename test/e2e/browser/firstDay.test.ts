import type { Browser } from 'playwright-core';
import { startSandbox } from '../../../sandbox/sandbox';
import type { Sandbox } from '../../../sandbox/types';
import { startN8n, type N8n } from '../n8n/instance';
import { readTarget } from '../n8n/target';
import { Canvas } from './pages/canvas';
import { NodeView } from './pages/nodeView';
import type { User } from './user';
import { openEditor } from './window';

const withChromium = readTarget().chromium ? describe : describe.skip;

withChromium('The first day in the editor', () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let browser: Browser;
	let user: User;
	beforeAll(async () => {
		sandbox = await startSandbox({ settings: { runStageMs: 500, resultsPerRun: 5 } });
		n8n = await startN8n();
		({ browser, user } = await openEditor(n8n));
	});
	afterAll(async () => {
		await browser?.close();
		await n8n?.close();
		await sandbox?.close();
	});

	test('a person needs at most 8 clicks and 2 pasted texts for leads in a table when the canvas is empty', async () => {
		const canvas = new Canvas(user, n8n.baseUrl);
		await canvas.openNewWorkflow();

		const panel = await canvas.addFirstNode();
		await user.type('prospector');
		await panel.entry('Prospector').waitFor();
		await user.press('Enter');
		await panel.openActions();
		await panel.choose('Run Prospector workflow and get results');

		const node = await NodeView.opened(user);
		const form = await node.createCredential();
		await user.click(form.field('apiKey'));
		await user.paste(sandbox.keys.full);
		// Over the two buttons of the field.
		for (let field = 0; field < 3; field++) await user.press('Tab');
		await user.paste(sandbox.baseUrl);
		await form.saveAndClose();

		await node.openList('workflowId');
		await user.press('ArrowDown');
		await user.press('Enter');
		await node.execute();

		const rows = await node.rows();
		expect(rows.map(({ company_name }) => company_name).sort()).toEqual([
			'Kestrelworth Shipping Ltd',
			'Maasport Cold Storage B.V.',
			'Ostravale Freight GmbH',
			'Scheldekaai Warehousing N.V.',
			'Van Brindle Logistics B.V.',
		]);
		for (const { request_id } of rows) expect(request_id).toMatch(/^req_\w+$/);
		expect(sandbox.control.runs().started).toBe(1);

		const { clicks, pastedTexts, keys } = user;
		console.log(`first day: ${clicks} clicks, ${pastedTexts} pasted texts, ${keys} keys`);
		expect(clicks).toBeLessThanOrEqual(8);
		expect(pastedTexts).toBeLessThanOrEqual(2);
	});
});
