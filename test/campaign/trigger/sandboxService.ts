import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { IHttpRequestOptions } from 'n8n-workflow';
import type { HttpResponse } from '../../../nodes/Prospector/transport/request/response';
import { startSandbox } from '../../../sandbox/sandbox';
import type { FaultRule } from '../../../sandbox/types';
import {
	Service,
	type OutageKind,
	type ServiceOptions,
	type FakeResource,
} from '../../unit/helpers/trigger/service';
import { BASE } from '../../unit/helpers/support';
import type { Choices } from '../seeded';

const status = (...statuses: number[]): FaultRule[] =>
	statuses.map((one) => ({ kind: 'status', status: one }));

/** Ways in which the sandbox plays each kind of outage. */
const FAULTS: Record<OutageKind, FaultRule[]> = {
	tooMany: [...status(429), { kind: 'status', status: 429, headers: { 'retry-after': '20' } }],
	unavailable: status(500, 502, 503, 504),
	network: [{ kind: 'drop' }, { kind: 'reset' }, { kind: 'cutBody' }],
	webPage: [{ kind: 'notJson' }, { kind: 'notEnvelope' }, { kind: 'redirect', location: '/login' }],
	forbidden: status(401, 403),
	notFound: status(404),
	endless: [{ kind: 'hang' }],
};

/** 64 MB are read of such a response: it takes real time. */
const ENDLESS_BODY: FaultRule = { kind: 'endless' };

/** Starts the sandbox for many histories, one after the other. */
export async function startStage() {
	let clock = () => 0;
	/** How often each fault has struck. */
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

export type Stage = Awaited<ReturnType<typeof startStage>>;

let sent = 0;

/** The sandbox over HTTP, as the service of a history. */
export class SandboxService extends Service {
	private readonly apiKey: string;
	/** Deletions under way. */
	private pending: Promise<unknown> = Promise.resolve();
	private letPass: (milliseconds: number) => void = () => {};

	constructor(
		private readonly stage: Stage,
		private readonly choose: Choices,
		options: ServiceOptions,
	) {
		super(options);
		stage.setClock(options.now);
		const { control } = stage.sandbox;
		control.reset();
		this.apiKey = stage.sandbox.keys.full;
		const { order, pageSize, hasDate } = options;
		control.patchSettings({
			listOrder: order,
			defaultPageSize: pageSize,
			dateHeader: hasDate,
			limit: choose.weighted({ 100_000: 4, 60: 1 }) === '60' ? 60 : 100_000,
			rateLimitHeaders: choose.one(['none', 'retry-after', 'ratelimit']),
			lastCursor: choose.one(['null', 'empty', 'absent']),
			errorBody: choose.one(['object', 'text', 'empty']),
			faultSeed: choose.whole(0, 1_000_000),
		});
		control.createKey({ name: 'owner' });
	}

	protected override add(list: FakeResource[], prefix: string, of: string, word: string): FakeResource {
		const { control } = this.stage.sandbox;
		const seeded = {
			wf: () => control.seed({ workflows: 1 }).workflows,
			run: () => control.seed({ runs: [{ workflowId: of, status: word, results: 0 }] }).runs,
			res: () => control.seed({ results: [{ runId: of }] }).results,
		};
		const [id] = seeded[prefix as keyof typeof seeded]();
		return super.add(list, prefix, of, word, id);
	}

	override setStatus(run: FakeResource, word: string): void {
		super.setStatus(run, word);
		this.stage.sandbox.control.setRunStatus(run.id, word);
	}

	override deleteWorkflow(workflow: FakeResource): void {
		super.deleteWorkflow(workflow);
		const { secret } = this.stage.sandbox.control.state().keys.find(({ name }) => name === 'owner')!;
		const url = `${BASE}/api/public/v1/prospector/workflows/${workflow.id}`;
		const deleted = this.pending.then(async () => await this.send({ url, method: 'DELETE' }, secret));
		this.pending = deleted.then(({ statusCode, body }) => {
			(body as IncomingMessage).resume();
			if (statusCode !== 200) throw new Error(`The deletion was answered with ${statusCode}`);
		});
	}

	/** From now on, all requests go wrong, or some of them in various ways. */
	override startOutage(kind: OutageKind, letPass: (milliseconds: number) => void): void {
		const { control } = this.stage.sandbox;
		if (control.faults().length > 0) return;
		this.letPass = letPass;
		const all = [...Object.values(FAULTS).flat(), { kind: 'slow', delayMs: 5 } as const];
		const isMixed = this.choose.chance(0.3);
		const rules = isMixed ? [1, 2, 3].map(() => this.choose.one(all)) : [this.choose.one(FAULTS[kind])];
		if (kind === 'webPage' && this.choose.chance(0.01)) rules.unshift({ ...ENDLESS_BODY, times: 1 });
		for (const rule of rules) {
			const probability = isMixed ? 0.15 : undefined;
			control.addFault({ times: 0, match: { method: 'GET' }, probability, ...rule });
		}
	}

	override endOutage(): void {
		this.stage.sandbox.control.clearFaults();
	}

	override async answer(options: IHttpRequestOptions): Promise<HttpResponse> {
		this.onRequest(options.url);
		await this.pending;
		return await this.send(options, this.apiKey);
	}

	private async send(
		{ url, method, qs, timeout = 0 }: IHttpRequestOptions,
		secret: string,
	): Promise<HttpResponse> {
		const { sandbox, agent, inFlight } = this.stage;
		const query = new URLSearchParams(qs as Record<string, string>).toString();
		const name = String(++sent);
		const headers = { authorization: `Bearer ${secret}`, 'user-agent': name };
		return await new Promise<HttpResponse>((resolve, reject) => {
			const sending: ClientRequest = request(
				`${url.replace(BASE, sandbox.baseUrl)}${query && `?${query}`}`,
				{ method, agent, headers },
				(response) => {
					const { statusCode = 0, headers: received } = response;
					resolve({ statusCode, headers: received, body: response });
				},
			);
			// n8n's HTTP helper gives up in the same way, in real time.
			inFlight.set(name, () => {
				this.letPass(timeout);
				sending.destroy(Object.assign(new Error('timeout'), { code: 'ECONNABORTED' }));
			});
			sending
				.on('error', reject)
				.on('close', () => inFlight.delete(name))
				.end();
		});
	}
}
