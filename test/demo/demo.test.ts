import { runDemo } from '../../scripts/demo/main';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, settings: { runStageMs: 0, resultsPerRun: 4 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.control.reset());

async function demo(env: NodeJS.ProcessEnv, signal = new AbortController().signal) {
	let printed = '';
	const print = (text: unknown) => void (printed += `${text}\n`);
	const code = await runDemo({ env, output: { log: print, error: print }, signal });
	return { code, printed };
}

const service = (apiKey = sandbox.keys.full) => ({
	PROSPECTOR_BASE_URL: sandbox.baseUrl,
	PROSPECTOR_API_KEY: apiKey,
});

test('npm start prints leads and requests of the local sandbox when no service is configured', async () => {
	const { code, printed } = await demo({});
	expect(printed).toMatch(/Sandbox of the service: http:\/\/127\.0\.0\.1:\d+/);
	expect(printed).toMatch(/12 leads[^]*lead_\w+ +│ req_\w+/);
	expect(printed).toMatch(/POST \/prospector\/workflows\/wf_\w+\/run +│ 200 +│ req_\w+ │ n8n-\w+…/);
	expect(code).toBe(0);
});

test('npm start starts one run of the Prospector workflow in PROSPECTOR_WORKFLOW_ID when a service is configured', async () => {
	const [oldest] = sandbox.control.seed({
		workflows: [{ name: 'Mine', createdAt: '2020-01-01T00:00:00.000Z' }],
	}).workflows;
	const { code, printed } = await demo({ ...service(), PROSPECTOR_WORKFLOW_ID: oldest });
	expect(code).toBe(0);
	expect(sandbox.control.runs().perWorkflow).toEqual({ [oldest]: 1 });
	expect(printed).not.toContain(sandbox.keys.full);
});

test.each<[string, () => NodeJS.ProcessEnv, number, RegExp]>([
	['the API key is missing', () => ({ PROSPECTOR_BASE_URL: 'http://x' }), 2, /PROSPECTOR_API_KEY is not/],
	['the base URL is missing', () => ({ PROSPECTOR_API_KEY: 'k' }), 2, /PROSPECTOR_BASE_URL is not/],
	['the API key is revoked', () => service(sandbox.keys.revoked), 3, /\(request req_/],
	[
		'the run has no results',
		() => {
			sandbox.control.patchSettings({ resultsPerRun: 0 });
			return service();
		},
		4,
		/The run found no leads/,
	],
])('npm start prints the reason and exits with a nonzero code when %s', async (_, env, expected, message) => {
	const { code, printed } = await demo(env());
	expect(printed).toMatch(message);
	expect(code).toBe(expected);
});

test('npm start exits with code 130 when a user stops the demo', async () => {
	sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const { code, printed } = await demo(service(), AbortSignal.timeout(1000));
	expect(printed).toMatch(/A run that was already started continues/);
	expect(code).toBe(130);
});
