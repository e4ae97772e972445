import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runDemo } from '../../scripts/demo/main';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, settings: { runStageMs: 0, resultsPerRun: 4 } });
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.control.reset());

async function demo(env: NodeJS.ProcessEnv) {
	const printed = { out: '', err: '' };
	const output = {
		log: (text: unknown) => void (printed.out += `${text}\n`),
		error: (text: unknown) => void (printed.err += `${text}\n`),
	};
	const code = await runDemo({ env, output, signal: new AbortController().signal });
	return { code, ...printed };
}

const service = (apiKey = sandbox.keys.full) => ({
	PROSPECTOR_BASE_URL: sandbox.baseUrl,
	PROSPECTOR_API_KEY: apiKey,
});

test('starts a sandbox and prints leads and requests when the environment names no service', async () => {
	const { code, out } = await demo({});
	expect(out).toMatch(/Sandbox of the service: http:\/\/127\.0\.0\.1:\d+/);
	expect(out).toMatch(/12 leads/);
	expect(out).toMatch(/lead_\w+ +│ req_\w+/);
	expect(out).toMatch(/POST \/prospector\/workflows\/wf_\w+\/run +│ 200 +│ req_\w+ │ n8n-\w+…/);
	expect(out).toMatch(/n8n-\w+… = n8n-[0-9a-f]{32}/);
	expect(code).toBe(0);
});

test('starts one run on the service of the environment and never prints its API key', async () => {
	const { code, out, err } = await demo(service());
	expect(code).toBe(0);
	expect(out).toMatch(/4 leads/);
	expect(sandbox.control.runs().started).toBe(1);
	expect(out + err).not.toContain(sandbox.keys.full);
});

test('runs the Prospector workflow of PROSPECTOR_WORKFLOW_ID', async () => {
	const [oldest] = sandbox.control.seed({
		workflows: [{ name: 'Mine', createdAt: '2020-01-01T00:00:00.000Z' }],
	}).workflows;
	const { code } = await demo({ ...service(), PROSPECTOR_WORKFLOW_ID: oldest });
	expect(code).toBe(0);
	expect(sandbox.control.runs().perWorkflow).toEqual({ [oldest]: 1 });
});

test.each<[string, () => NodeJS.ProcessEnv, number, RegExp]>([
	['the API key is missing', () => ({ PROSPECTOR_BASE_URL: 'http://x' }), 2, /PROSPECTOR_API_KEY is not/],
	['the base URL is missing', () => ({ PROSPECTOR_API_KEY: 'k' }), 2, /PROSPECTOR_BASE_URL is not/],
	[
		'the key is revoked',
		() => service(sandbox.keys.revoked),
		3,
		/The API key was not accepted \(request req_/,
	],
	[
		'the key lacks a scope',
		() => service(sandbox.keys.readOnlyScope),
		3,
		/This API key is not allowed to start runs.*\n.*'prospector.run'/,
	],
	[
		'the base URL is no URL',
		() => ({ ...service(), PROSPECTOR_BASE_URL: 'here' }),
		3,
		/is not a web address/,
	],
])('explains it and returns its exit code when %s', async (_, env, expected, message) => {
	const { code, err } = await demo(env());
	expect(err).toMatch(message);
	expect(code).toBe(expected);
});

test('returns 3 at once when the rate limit requires a longer wait than 10 seconds', async () => {
	sandbox.control.patchSettings({ limit: 1, windowMs: 12_000, rateLimitHeaders: 'retry-after' });
	// A separate key, because the node remembers a key's rate limit.
	const { secret } = sandbox.control.createKey({ name: 'limited' });
	const { code, err } = await demo(service(secret));
	expect(err).toMatch(/\b12 s\b/);
	expect(code).toBe(3);
	expect(sandbox.control.journal().map(({ status }) => status)).toEqual([200, 429]);
});

test('explains it and returns 4 when the run finds no leads', async () => {
	sandbox.control.patchSettings({ resultsPerRun: 0 });
	const { code, err } = await demo(service());
	expect(err).toMatch(/found no leads/);
	expect(code).toBe(4);
});

test('exits with 130 on Ctrl+C and says that the run continues', async () => {
	sandbox.control.patchSettings({ runStatuses: ['brewing'] });
	const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo/main.ts'], {
		env: { ...process.env, N8N_USER_FOLDER: undefined, ...service() },
	});
	let out = '';
	let err = '';
	child.stderr.on('data', (chunk) => (err += chunk));
	child.stdout.on('data', (chunk) => {
		out += chunk;
		if (/GET \/prospector\/runs\/\w+ → 200/.test(out)) child.kill('SIGINT');
	});
	const [code] = (await once(child, 'close')) as [number | null];
	expect(err).toMatch(/Stopped\. A run that was already started continues/);
	expect(code).toBe(130);
});
