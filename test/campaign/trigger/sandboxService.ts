import { Agent, request } from 'node:http';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { startSandbox } from '../../../sandbox/sandbox';
import type { FaultRule } from '../../../sandbox/types';
import { BASE } from '../../unit/helpers/support';
import {
	Service,
	type FakeResource,
	type OutageKind,
	type ServiceOptions,
} from '../../unit/helpers/trigger/service';
import type { SeededRandom } from '../seededRandom';

type HttpResponse = Awaited<ReturnType<Service['answer']>>;

const statusFaults = (...statuses: number[]): FaultRule[] =>
	statuses.map((status) => ({ kind: 'status', status }));

/** Faults of the sandbox for each kind of outage. */
const FAULTS: Record<OutageKind, FaultRule[]> = {
	tooMany: [...statusFaults(429), { kind: 'status', status: 429, headers: { 'retry-after': '20' } }],
	unavailable: statusFaults(500, 502, 503, 504),
	network: [{ kind: 'drop' }, { kind: 'reset' }, { kind: 'cutBody' }],
	webPage: [{ kind: 'notJson' }, { kind: 'notEnvelope' }, { kind: 'redirect', location: '/login' }],
	forbidden: statusFaults(401, 403),
	notFound: statusFaults(404),
	endless: [{ kind: 'hang' }],
};

/** Starts the sandbox for many histories, one after the other. */
export async function startEnvironment() {
	let clock = () => 0;
	/** Number of requests that met each fault. */
	const faults = new Map<string, number>();
	/** Functions that end a request, by its user agent. */
	const inFlight = new Map<string, () => void>();
	const sandbox = await startSandbox({
		clock: () => clock(),
		seed: false,
		settings: { journalSize: 1 },
		onRequest({ fault, userAgent }) {
			if (!fault) return;
			faults.set(fault.kind, (faults.get(fault.kind) ?? 0) + 1);
			if (fault.kind === 'hang') inFlight.get(userAgent!)?.();
		},
	});
	const agent = new Agent({ keepAlive: true });
	return {
		sandbox,
		agent,
		faults,
		inFlight,
		setClock: (now: () => number) => void (clock = now),
		async close() {
			agent.destroy();
			await sandbox.close();
		},
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

let requestsSent = 0;

/** The sandbox over HTTP, as the service of a history. */
export class SandboxService extends Service {
	private readonly apiKey: string;
	pendingDeletions: Promise<unknown> = Promise.resolve();
	private advance: (milliseconds: number) => void = () => {};

	constructor(
		private readonly environment: Environment,
		private readonly random: SeededRandom,
		options: ServiceOptions,
	) {
		super(options);
		const { order, pageSize, hasDate, now } = options;
		const { sandbox, setClock } = environment;
		setClock(now);
		sandbox.control.reset();
		this.apiKey = sandbox.keys.full;
		sandbox.control.patchSettings({
			listOrder: order,
			defaultPageSize: pageSize,
			dateHeader: hasDate,
			limit: random.chance(0.8) ? 100_000 : 60,
			rateLimitHeaders: random.one(['none', 'retry-after', 'ratelimit']),
			lastCursor: random.one(['null', 'empty', 'absent']),
			errorBody: random.one(['object', 'text', 'empty']),
			faultSeed: random.integer(0, 1_000_000),
		});
		sandbox.control.createKey({ name: 'owner' });
	}

	protected override add(
		list: FakeResource[],
		prefix: string,
		parentId: string,
		status: string,
	): FakeResource {
		const { control } = this.environment.sandbox;
		const seeded = {
			wf: () => control.seed({ workflows: 1 }).workflows,
			run: () => control.seed({ runs: [{ workflowId: parentId, status, results: 0 }] }).runs,
			res: () => control.seed({ results: [{ runId: parentId }] }).results,
		};
		const [id] = seeded[prefix as keyof typeof seeded]();
		return super.add(list, prefix, parentId, status, id);
	}

	override setStatus(run: FakeResource, status: string): void {
		super.setStatus(run, status);
		this.environment.sandbox.control.setRunStatus(run.id, status);
	}

	override deleteWorkflow(workflow: FakeResource): void {
		super.deleteWorkflow(workflow);
		const { keys } = this.environment.sandbox.control.state();
		const { secret } = keys.find(({ name }) => name === 'owner')!;
		const url = `${BASE}/api/public/v1/prospector/workflows/${workflow.id}`;
		this.pendingDeletions = this.pendingDeletions.then(async () => {
			const { statusCode, body } = await this.send({ url, method: 'DELETE' }, secret);
			(body as NodeJS.ReadableStream).resume();
			if (statusCode !== 200) throw new Error(`The deletion was answered with ${statusCode}`);
		});
	}

	/** Adds a fault that all requests meet, or several that some of them meet. */
	override startOutage(kind: OutageKind, advance: (milliseconds: number) => void): void {
		const { random } = this;
		const { control } = this.environment.sandbox;
		if (control.faults().length > 0) return;
		this.advance = advance;
		const all: FaultRule[] = [...Object.values(FAULTS).flat(), { kind: 'slow', delayMs: 5 }];
		const isMixed = random.chance(0.3);
		const rules = isMixed ? [1, 2, 3].map(() => random.one(all)) : [random.one(FAULTS[kind])];
		// Rare, because it takes real time: 32 MB are read of such a response.
		if (kind === 'webPage' && random.chance(0.01)) rules.unshift({ kind: 'endless', times: 1 });
		for (const rule of rules) {
			const probability = isMixed ? 0.15 : undefined;
			control.addFault({ times: 0, match: { method: 'GET' }, probability, ...rule });
		}
	}

	override endOutage(): void {
		this.environment.sandbox.control.clearFaults();
	}

	override async answer(options: IHttpRequestOptions): Promise<HttpResponse> {
		this.onRequest(options.url);
		await this.pendingDeletions;
		return await this.send(options, this.apiKey);
	}

	private async send(
		{ url, method, qs, timeout = 0 }: IHttpRequestOptions,
		secret: string,
	): Promise<HttpResponse> {
		const { sandbox, agent, inFlight } = this.environment;
		const query = new URLSearchParams(qs as Record<string, string>).toString();
		const name = String(++requestsSent);
		const headers = { authorization: `Bearer ${secret}`, 'user-agent': name };
		const address = `${url.replace(BASE, sandbox.baseUrl)}${query && `?${query}`}`;
		return await new Promise<HttpResponse>((resolve, reject) => {
			const sending = request(address, { method, agent, headers }, (response) =>
				resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: response }),
			);
			// n8n's HTTP helper aborts a request in the same way, in real time.
			inFlight.set(name, () => {
				this.advance(timeout);
				sending.destroy(Object.assign(new Error('timeout'), { code: 'ECONNABORTED' }));
			});
			sending.on('error', reject).on('close', () => inFlight.delete(name));
			sending.end();
		});
	}
}
