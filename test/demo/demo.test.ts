import { spawn } from 'node:child_process';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, settings: { runStageMs: 0, resultsPerRun: 4 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => {
	sandbox.control.clearFaults();
	sandbox.control.clearJournal();
});

interface Ended {
	code: number | null;
	out: string;
	err: string;
}

/** Runs what `npm start` runs after its set-up. */
async function demo(
	env: NodeJS.ProcessEnv,
	onOutput?: (all: string, stop: () => void) => void,
): Promise<Ended> {
	const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts'], {
		env: { ...process.env, N8N_USER_FOLDER: undefined, ...env },
	});
	let out = '';
	let err = '';
	child.stdout.on('data', (chunk) => {
		out += chunk;
		onOutput?.(out, () => child.kill('SIGINT'));
	});
	child.stderr.on('data', (chunk) => (err += chunk));
	return await new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const here = (apiKey = sandbox.keys.full) => ({
	PROSPECTOR_BASE_URL: sandbox.baseUrl,
	PROSPECTOR_API_KEY: apiKey,
});

test('without settings it runs on its own sandbox and prints leads and requests', async () => {
	const { code, out } = await demo({});
	expect(out).toMatch(/Sandbox of the service: http:\/\/127\.0\.0\.1:\d+/);
	expect(out).toMatch(/12 leads/);
	expect(out).toMatch(/lead_\w+ +│ req_\w+/);
	expect(out).toMatch(/POST \/prospector\/workflows\/wf_\w+\/run +│ 200 +│ req_\w+ │ n8n-\w+…/);
	expect(out).toMatch(/n8n-\w+… = n8n-[0-9a-f]{32}/);
	expect(code).toBe(0);
});

test('it does the same on the service that is named', async () => {
	const { code, out } = await demo(here());
	expect(code).toBe(0);
	expect(out).toMatch(/4 leads/);
	expect(sandbox.control.runs().started).toBe(1);
	expect(out).not.toContain(sandbox.keys.full);
});

test('it runs the Prospector workflow that is named', async () => {
	const last = sandbox.control.seed({ workflows: [{ name: 'Mine', createdAt: '2020-01-01T00:00:00.000Z' }] });
	const { code } = await demo({ ...here(), PROSPECTOR_WORKFLOW_ID: last.workflows[0] });
	expect(code).toBe(0);
	expect(sandbox.control.runs().perWorkflow[last.workflows[0]]).toBe(1);
});

test.each<[string, () => NodeJS.ProcessEnv, number, RegExp]>([
	[
		'half a service is named',
		() => ({ PROSPECTOR_BASE_URL: sandbox.baseUrl }),
		2,
		/PROSPECTOR_API_KEY is not/,
	],
	['the other half is named', () => ({ PROSPECTOR_API_KEY: 'k' }), 2, /PROSPECTOR_BASE_URL is not/],
	['the key is revoked', () => here(sandbox.keys.revoked), 3, /The API key was not accepted \(request req_/],
	[
		'the key may not run',
		() => here(sandbox.keys.readOnlyScope),
		3,
		/may not start runs.*\n.*'prospector.run'/,
	],
	[
		'nobody answers',
		() => ({ ...here(), PROSPECTOR_BASE_URL: 'http://127.0.0.1:9' }),
		3,
		/could not be reached/,
	],
	['the address is not one', () => ({ ...here(), PROSPECTOR_BASE_URL: 'here' }), 3, /is not a web address/],
])('when %s it says so and ends with its own code', async (_, env, expected, message) => {
	const { code, err } = await demo(env());
	expect(err).toMatch(message);
	expect(code).toBe(expected);
});

test('when a run finds nothing it says so', async () => {
	const [empty] = sandbox.control.seed({ workflows: [{ name: 'Empty' }] }).workflows;
	sandbox.control.patchSettings({ resultsPerRun: 0 });
	const { code, err } = await demo({ ...here(), PROSPECTOR_WORKFLOW_ID: empty });
	sandbox.control.patchSettings({ resultsPerRun: 4 });
	expect(err).toMatch(/found nothing/);
	expect(code).toBe(4);
});

test('Ctrl+C ends it at once and says that the run goes on', async () => {
	sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const { code, err } = await demo(here(), (out, stop) => {
		if (/GET \/prospector\/runs\/\w+ → 200/.test(out)) stop();
	});
	sandbox.control.patchSettings({ runStatuses: ['queued', 'running', 'completed'] });
	expect(err).toMatch(/Stopped\. A run that was started goes on/);
	expect(code).toBe(130);
});
