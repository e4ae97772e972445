import { setTimeout as sleep } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { SandboxSettings } from '../../sandbox/settings';
import { createSimulator } from '../../sandbox/simulator';
import type { SimulatedRequest } from '../../sandbox/simulator';
import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { API, closeAll, seedOneOfEach, START, startTestSandbox, WORKFLOWS } from './testSandbox';
import type { Json } from './testSandbox';

afterAll(closeAll);

/** Headers that depend on the transport. Fastify adds a content type to an empty body. */
const TRANSPORT_HEADERS = ['connection', 'content-length', 'keep-alive'];
const TIMEOUT_MS = 1000;

type Request = Omit<SimulatedRequest, 'url'> & { path: string };

const withoutBody = `
	GET /me
	GET /nowhere
	PUT /me
	GET ${WORKFLOWS}?limit=1
	GET ${WORKFLOWS}?limit=nonsense
	GET ${WORKFLOWS}/a%2Fb/runs
	GET ${WORKFLOWS}/%zz
	POST ${WORKFLOWS}/WF/run
	GET ${WORKFLOWS}/WF/runs
	GET /prospector/runs/RUN
	GET /prospector/runs/RUN/results?limit=2
	DELETE ${WORKFLOWS}/WF
	GET ${WORKFLOWS}/WF`;
const creation = {
	method: 'POST',
	path: WORKFLOWS,
	body: { name: 'Zoë' },
	headers: { 'Idempotency-Key': 'k' },
};
const REQUESTS: Request[] = [
	...[...withoutBody.matchAll(/(\w+) (\S+)/g)].map(([, method, path]) => ({ method, path })),
	...[creation, creation, { ...creation, body: {} }],
	{ ...creation, body: '{"n":1e400}', headers: { 'content-type': 'application/json' } },
	{ method: 'GET', path: '/me', headers: { authorization: 'Bearer unknown' } },
	{ method: 'GET', path: WORKFLOWS, qs: { limit: 1, cursor: undefined } },
	{ method: 'POST', path: WORKFLOWS, body: '{}', headers: { 'content-type': 'text/plain' } },
];

/** Starts the sandbox and a simulator with the same data. Both report what a client sees. */
async function startBoth(settings: Partial<SandboxSettings> = {}) {
	const sandbox = await startTestSandbox({ settings });
	const simulator = createSimulator({ clock: () => START, settings });
	const ids = seedOneOfEach(sandbox);
	expect(seedOneOfEach(simulator)).toEqual(ids);
	const fill = (path: string) => path.replace('WF', ids.workflow).replace('RUN', ids.run);
	return {
		controls: [sandbox.control, simulator.control],
		async overHttp({ method, path, qs, headers, body }: Request) {
			const query = qs ? `?${new URLSearchParams(JSON.parse(JSON.stringify(qs)))}` : '';
			const given = { headers: headers as Record<string, string> };
			const sent = sandbox.call(method, fill(path) + query, {
				...given,
				...(typeof body === 'string' ? { raw: body } : { body }),
			});
			sent.catch(() => {});
			const response = await Promise.race([sent, sleep(TIMEOUT_MS)]);
			if (!response) throw Object.assign(new Error(), { code: 'ECONNABORTED' });
			const received = Object.entries(response.headers).filter(([name]) => !TRANSPORT_HEADERS.includes(name));
			const { status, text, json = text } = response;
			return { statusCode: status, headers: Object.fromEntries(received), body: json, text };
		},
		inProcess: async ({ path, ...request }: Request) =>
			await simulator.request({
				...request,
				url: `https://api.test${API}${fill(path)}`,
				timeout: TIMEOUT_MS,
			}),
	};
}

const nameFailure = ({ code }: Error & { code?: string }) => (code === 'ECONNABORTED' ? 'timeout' : 'lost');

const comparable = (journal: JournalEntry[]) => journal.map((entry) => ({ ...entry, userAgent: null }));

test.each<Partial<SandboxSettings>>([
	{},
	{ limit: 8, rateLimitHeaders: ['ratelimit', 'retry-after'], errorBody: 'text', errorRequestId: 'header' },
	{ dateHeader: false, lastCursor: 'absent' },
])('the in-process simulator responds like the HTTP sandbox with the settings %j', async (settings) => {
	const { overHttp, inProcess, controls } = await startBoth(settings);
	for (const request of REQUESTS) expect(await inProcess(request)).toEqual(await overHttp(request));
	const [journal, simulated] = controls.map((control) => comparable(control.journal()));
	expect(simulated).toEqual(journal);
});

test.each<FaultRule>([
	...(['drop', 'reset', 'cutBody', 'switchProtocols', 'hang', 'endless'] as const).map((kind) => ({ kind })),
	{ kind: 'hang', when: 'after' },
	{ kind: 'raw', bytes: 'x' },
	{ kind: 'drop', when: 'after' },
	{ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: 'busy', when: 'after' },
	{ kind: 'notJson' },
	{ kind: 'notEnvelope', body: [1] },
	{ kind: 'slow', delayMs: 20, when: 'after' },
	{ kind: 'trickle', delayMs: 0 },
	{ kind: 'trickle', delayMs: 5000 },
])('the fault %j has the same effect in the in-process simulator as in the HTTP sandbox', async (rule) => {
	const { overHttp, inProcess, controls } = await startBoth();
	for (const control of controls) control.addFault(rule);
	const [received, simulated] = await Promise.all([
		overHttp(creation).catch(nameFailure),
		inProcess(creation).catch(nameFailure),
	]);
	expect(simulated).toEqual(received);
	expect(comparable(controls[1].journal())).toEqual(comparable(controls[0].journal()));
});

test.each<[FaultRule, number | undefined, number]>([
	[{ kind: 'hang' }, undefined, 300_000],
	[{ kind: 'hang' }, 5000, 5000],
	[{ kind: 'endless' }, 5000, 5000],
	[{ kind: 'trickle' }, 5000, 5000],
	[{ kind: 'slow', delayMs: 9000 }, 5000, 5000],
	[{ kind: 'slow', delayMs: 9000 }, 10_000, 9000],
])(
	'a request with the fault %j and the timeout option %p advances the virtual clock by %i ms',
	async (rule, timeout, elapsedMs) => {
		let now = START;
		const simulator = createSimulator({ clock: () => now, advance: (ms) => (now += ms) });
		simulator.control.addFault(rule);
		const request = { method: 'GET', url: `https://api.test${API}/me`, timeout };
		const response: Json = await simulator.request(request).catch(nameFailure);
		expect(now - START).toBe(elapsedMs);
		// A slow response has the time of its end.
		if (elapsedMs === timeout || timeout === undefined) expect(response).toBe('timeout');
		else expect(Date.parse(response.headers.date)).toBe(now);
	},
);
