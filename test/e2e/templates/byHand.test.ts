import { startScriptedModel } from '../../agent/scriptedModel';
import { PLACEHOLDERS } from '../../examples/examples';
import { Canvas } from '../browser/pages/canvas';
import { openEditor, withScreenshot } from '../browser/window';
import { closeAfterAll } from '../closeAfterAll';
import { startEnvironment } from '../environment';
import { createCredential } from '../n8n/credentials';
import { WITH_EDITOR } from '../n8n/instance';
import { eventually } from '../../eventually';
import { readTarget } from '../n8n/target';
import { startMailServer } from '../outside/mailServer';
import { startRecorder } from '../outside/recorder';
import { nextPoll } from '../trigger/polling';
import { agentStartsARun } from './byHand/agentStartsARun';
import { formToEmail } from './byHand/formToEmail';
import { dailyRunToGoogleSheets } from './byHand/googleSheets';
import * as leads from './byHand/leads';
import { ACCOUNTS, ANSWERS, HOSTS } from './byHand/otherSystems';
import { slackAlert } from './byHand/slackAlert';
import { fillIn, type Template, type World } from './byHand/template';

const TEMPLATES: Record<string, Template> = {
	'leads-to-data-table.json': leads.leadsToDataTable,
	'new-leads-weekly.json': leads.newLeadsWeekly,
	'only-new-leads.json': leads.onlyNewLeads,
	'agent-starts-a-run.json': agentStartsARun,
	'daily-run-to-google-sheets.json': dailyRunToGoogleSheets,
	'leads-to-hubspot.json': leads.leadsToHubspot,
	'form-to-email.json': formToEmail,
	'slack-alert-when-a-run-fails.json': slackAlert,
};

const withChromium = readTarget().chromium ? describe : describe.skip;

withChromium('A person who fills in a template with mouse and keyboard', () => {
	const closeLater = closeAfterAll();
	let world: World;

	beforeAll(async () => {
		const model = closeLater(await startScriptedModel());
		const recorder = closeLater(await startRecorder(HOSTS, ANSWERS));
		const mailServer = closeLater(await startMailServer());
		// By default, n8n 1 has one connection to SQLite, and mixes up the transactions of data tables.
		const ownN8n = { ...recorder.env, ...WITH_EDITOR, DB_SQLITE_POOL_SIZE: '2' };
		const e2e = closeLater(await startEnvironment({ ownN8n }));
		const accounts = {
			...ACCOUNTS,
			openAiApi: { apiKey: 'no-key', url: model.url },
			smtp: mailServer.credential,
			prospectorApi: { baseUrl: e2e.sandbox.baseUrl, apiKey: e2e.sandbox.keys.full },
		};
		for (const [type, data] of Object.entries(accounts))
			await createCredential(e2e.rest, PLACEHOLDERS[type].name, type, data);
		const { browser, user } = await openEditor(e2e.n8n);
		closeLater(browser);
		const canvas = new Canvas(user, e2e.n8n.baseUrl);
		await canvas.openNewWorkflow();
		world = { e2e, recorder, mailServer, model, canvas };
	});

	test.each(Object.keys(TEMPLATES))(
		'a person who fills in the template %s by hand gets the documented outcome',
		async (file) => {
			const { prepare, steps, check } = TEMPLATES[file];
			const { e2e, recorder, canvas } = world;
			e2e.control.patchSettings({ resultsPerRun: 3, finalStatusByWorkflow: {} });
			recorder.nextReplies.splice(0);
			await prepare?.(world);
			await withScreenshot(
				() => canvas.user.page,
				async () => {
					const id = await fillIn(canvas, file, steps);
					await eventually('the publication', async () => (await e2e.workflows.get(id)).active);
					const workflow = await e2e.workflows.get(id);
					if (JSON.stringify(workflow.nodes).includes('pollTimes')) await nextPoll(e2e.sandbox, 'full');
					recorder.requests.splice(0);
					await check(world, workflow);
					await e2e.workflows.deactivate(workflow);
				},
			);
		},
	);

	test('the templates contact no hosts on the internet except those of Google Sheets, HubSpot and Slack', () => {
		// n8n itself sends requests to its maker.
		expect(world.recorder.refusedHosts.filter((host) => !host.endsWith('.n8n.io:443'))).toEqual([]);
	});
});
