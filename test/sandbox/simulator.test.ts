import type { SandboxSettings } from '../../sandbox/settings';
import { createSimulator } from '../../sandbox/simulator';
import type { SimulatedRequest } from '../../sandbox/simulator';
import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { API, closeAll, JSON_TYPE, seedOneOfEach, START, startTestSandbox } from './testSandbox';
import type { Json } from './testSandbox';

afterAll(closeAll);

const WORKFLOWS = '/prospector/workflows';
/** Headers that depend on the transport. */
const TRANSPORT_HEADERS = ['connection', 'content-length', 'keep-alive'];
const TIMEOUT_MS = 1000;

type Request = Omit<SimulatedRequest, 'url'> & { path: string };

const key = { 'Idempotency-Key': 'k' };
const REQUESTS: Request[] = [
	...[
		'GET /me',
		'GET /nowhere',
		'PUT /me',
		`GET ${WORKFLOWS}?limit=1`,
		`GET ${WORKFLOWS}?limit=nonsense`,
		`GET ${WORKFLOWS}/a%2Fb/runs`,
		`GET ${WORKFLOWS}/%zz`,
		`POST ${WORKFLOWS}/WF/run`,
		`GET ${WORKFLOWS}/WF/runs`,
		'GET /prospector/runs/RUN',
		'GET /prospector/runs/RUN/results?limit=2',
		`DELETE ${WORKFLOWS}/WF`,
		`GET ${WORKFLOWS}/WF`,
	].map((request) => {
		const [method, path] = request.split(' ');
		return { method, path };
	}),
	{ method: 'GET', path: '/me', headers: { authorization: 'Bearer unknown' } },
	{ method: 'GET', path: WORKFLOWS, qs: { limit: 1, cursor: undefined } },
	{ method: 'POST', path: WORKFLOWS, body: { name: 'Zoë' }, headers: key },
	{ method: 'POST', path: WORKFLOWS, body: { name: 'Zoë' }, headers: key },
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
		async overHttp({ method, path, qs = {}, headers = {}, body }: Request) {
			const url = new URL(sandbox.baseUrl + API + fill(path));
			for (const [name, value] of Object.entries(qs)) {
				if (value !== undefined) url.searchParams.set(name, String(value));
			}
			const response = await fetch(url, {
				method,
				headers: {
					authorization: `Bearer ${sandbox.keys.full}`,
					...(typeof body === 'object' && JSON_TYPE),
					...(headers as Record<string, string>),
				},
				body: typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const content = await bodyOf(response);
			// Fastify adds a content type to an empty body.
			const added = content === '' ? ['content-type', ...TRANSPORT_HEADERS] : TRANSPORT_HEADERS;
			const received = [...response.headers].filter(([name]) => !added.includes(name));
			return { statusCode: response.status, headers: Object.fromEntries(received), body: content };
		},
		inProcess: async ({ path, ...request }: Request) =>
			await simulator.request({
				...request,
				url: `https://api.test${API}${fill(path)}`,
				timeout: TIMEOUT_MS,
			}),
	};
}

async function bodyOf(response: Response): Promise<unknown> {
	const text = await response.text();
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const nameFailure = ({ name, code }: Error & { code?: string }) =>
	name === 'TimeoutError' || code === 'ECONNABORTED' ? 'timeout' : 'lost';

const comparable = (journal: JournalEntry[]) => journal.map((entry) => ({ ...entry, userAgent: null }));

test.each<Partial<SandboxSettings>>([
	{},
	{ limit: 8, rateLimitHeaders: ['ratelimit', 'retry-after'], errorBody: 'text', errorRequestId: 'header' },
	{ dateHeader: false, lastCursor: 'absent' },
])('the simulator responds as the sandbox does over HTTP, with the settings %j', async (settings) => {
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
	{ kind: 'status', status: 503 },
	{ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: 'busy', when: 'after' },
	{ kind: 'notJson' },
	{ kind: 'notEnvelope', body: [1] },
	{ kind: 'redirect', location: 'http://127.0.0.1:9/x' },
	{ kind: 'slow', delayMs: 20 },
	{ kind: 'slow', delayMs: 20, when: 'after' },
	{ kind: 'trickle', delayMs: 0 },
	{ kind: 'trickle', delayMs: 5000 },
])('the fault %j has the same effect in the simulator as over HTTP', async (rule) => {
	const { overHttp, inProcess, controls } = await startBoth();
	for (const control of controls) control.addFault(rule);
	const create = { method: 'POST', path: WORKFLOWS, body: {} };
	const [received, simulated] = await Promise.all([
		overHttp(create).catch(nameFailure),
		inProcess(create).catch(nameFailure),
	]);
	expect(simulated).toEqual(received);
	expect(comparable(controls[1].journal())).toEqual(comparable(controls[0].journal()));
	expect(await inProcess({ method: 'GET', path: WORKFLOWS })).toEqual(
		await overHttp({ method: 'GET', path: WORKFLOWS }),
	);
});

describe('the virtual clock', () => {
	const simulate = async (rule: FaultRule, timeout?: number) => {
		let now = START;
		const simulator = createSimulator({ clock: () => now, advance: (ms) => (now += ms) });
		simulator.control.addFault(rule);
		const response = await simulator
			.request({ method: 'GET', url: `https://api.test${API}/me`, timeout })
			.catch(nameFailure);
		return { elapsedMs: now - START, response: response as Json };
	};

	test.each<[FaultRule, number | undefined, number]>([
		[{ kind: 'hang' }, undefined, 300_000],
		[{ kind: 'hang' }, 5000, 5000],
		[{ kind: 'endless' }, 5000, 5000],
		[{ kind: 'trickle' }, 5000, 5000],
		[{ kind: 'slow', delayMs: 9000 }, 5000, 5000],
	])(
		'the virtual clock moves by the timeout with the fault %j and a timeout of %p ms',
		async (rule, timeout, elapsedMs) => {
			expect(await simulate(rule, timeout)).toEqual({ elapsedMs, response: 'timeout' });
		},
	);

	test('the virtual clock moves by the delay of a slow response, which has the time of its end', async () => {
		const { elapsedMs, response } = await simulate({ kind: 'slow', delayMs: 9000 }, 10_000);
		expect([elapsedMs, response.statusCode]).toEqual([9000, 200]);
		expect(Date.parse(response.headers.date)).toBe(START + 9000);
	});

	test('the virtual clock moves by the delay of each byte after the first', async () => {
		const { elapsedMs, response } = await simulate({ kind: 'trickle', delayMs: 10 }, 60_000);
		expect(elapsedMs).toBe(10 * (JSON.stringify(response.body).length - 1));
	});
});

test('beforeRequest can change the service', async () => {
	const simulator = createSimulator({
		clock: () => START,
		beforeRequest: () => void simulator.control.seed({ workflows: 1 }),
	});
	const { body } = await simulator.request({ method: 'GET', url: `https://api.test${API}${WORKFLOWS}` });
	expect((body as Json).data).toHaveLength(1);
});
