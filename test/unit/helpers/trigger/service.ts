import type { IHttpRequestOptions } from 'n8n-workflow';
import type { HttpResponse } from '../../../../nodes/Prospector/transport/request/response';

export type Order = 'newest' | 'oldest' | 'shuffled';
export type Cursors = 'keyset' | 'offset';

export type OutageKind =
	'tooMany' | 'unavailable' | 'network' | 'webPage' | 'forbidden' | 'notFound' | 'endless';

/** A resource of the service. */
export interface FakeResource {
	id: string;
	created: number;
	updated: number;
	status: string;
	/** Of a run: its workflow. Of a result: its run. */
	of: string;
}

export interface ServiceOptions {
	order: Order;
	cursors: Cursors;
	pageSize: number;
	now: () => number;
	/** Whether responses have a `Date` header. */
	hasDate?: boolean;
	/** Ids for the first resources of each kind. */
	ids?: string[];
}

const PREFIX = '/api/public/v1/prospector';

/** As much of the service as a trigger asks, in memory, with whatever goes wrong in it. */
export class Service {
	readonly workflows: FakeResource[] = [];
	readonly runs: FakeResource[] = [];
	readonly results: FakeResource[] = [];
	/** Deleted workflows: their list of runs is gone, the runs are not. */
	readonly deleted = new Set<string>();
	/** Called before a request is answered. */
	onRequest: (path: string) => void = () => {};
	/** What answers in place of the service; may throw as n8n's HTTP helper does. */
	outage: ((options: IHttpRequestOptions) => HttpResponse) | undefined;
	requests: string[] = [];
	private count = 0;
	private readonly kept = new Map<FakeResource[], Map<string, { of: number; found: FakeResource[] }>>();
	private readonly inOrder = new WeakMap<FakeResource[], { order: Order; sorted: FakeResource[] }>();
	private isForgetful = false;

	constructor(readonly options: ServiceOptions) {}

	addWorkflow = (id?: string) => this.add(this.workflows, 'wf', '', 'active', id);
	addRun = (workflow: FakeResource, status: string, id?: string) =>
		this.add(this.runs, 'run', workflow.id, status, id);
	addResult = (run: FakeResource, id?: string) => this.add(this.results, 'res', run.id, '', id);

	setStatus(run: FakeResource, status: string): void {
		run.status = status;
		run.updated = this.options.now();
	}

	/** As n8n's HTTP helper would ask it. */
	async answer(options: IHttpRequestOptions): Promise<HttpResponse> {
		const response = await this.respond(options);
		const date = new Date(this.options.now()).toUTCString();
		return this.options.hasDate ? { ...response, headers: { ...response.headers, date } } : response;
	}

	private async respond(options: IHttpRequestOptions): Promise<HttpResponse> {
		const { url, qs } = options;
		const path = new URL(url).pathname.slice(PREFIX.length);
		this.requests.push(path);
		this.onRequest(path);
		if (this.outage) return this.outage(options);
		const [, kind, id, list] = path.split('/').map(decodeURIComponent);
		const query = qs as { cursor?: string; limit?: number } | undefined;
		if (kind === 'workflows' && list === 'runs') {
			if (!this.workflows.some((workflow) => workflow.id === id)) return notFound;
			return this.page(this.of(this.runs, id), query, asRun);
		}
		if (kind === 'workflows' && id !== undefined) {
			const workflow = this.workflows.find((one) => one.id === id);
			return workflow ? ok({ data: asWorkflow(workflow), request_id: this.requestId() }) : notFound;
		}
		if (kind === 'workflows') return this.page(this.workflows, query, asWorkflow);
		const run = this.runs.find((one) => one.id === id);
		if (!run) return notFound;
		if (list === 'results') {
			return this.page(this.of(this.results, id), query, asResult);
		}
		return ok({ data: asRun(run), request_id: this.requestId() });
	}

	/** Refuses every cursor that it has given so far. */
	forgetCursors(): void {
		this.isForgetful = true;
	}

	deleteWorkflow(workflow: FakeResource): void {
		this.deleted.add(workflow.id);
		this.workflows.splice(this.workflows.indexOf(workflow), 1);
		this.inOrder.delete(this.workflows);
	}

	/** From now on, requests fail. @param letPass lets time pass */
	startOutage(kind: OutageKind, letPass: (milliseconds: number) => void): void {
		this.outage = (options) => failing(kind, options, letPass);
	}

	endOutage(): void {
		this.outage = undefined;
	}

	protected add(list: FakeResource[], prefix: string, of: string, status: string, id?: string): FakeResource {
		const now = this.options.now();
		// Ids that follow no order, so that equal times are in none either.
		const number = ((++this.count * 7919) % 99_991).toString(36);
		const name = id ?? this.options.ids?.[list.length] ?? `${prefix}_${number}_${this.count}`;
		const thing = { id: name, created: now, updated: now, status, of };
		list.push(thing);
		return thing;
	}

	private page(
		things: FakeResource[],
		{ cursor, limit }: { cursor?: string; limit?: number } = {},
		show: (thing: FakeResource) => object,
	): HttpResponse {
		const { cursors, pageSize } = this.options;
		if (cursor !== undefined && this.isForgetful) {
			this.isForgetful = false;
			return { statusCode: 400, headers: {}, body: { message: 'unknown cursor' } };
		}
		const sorted = this.sorted(things);
		const after =
			cursor !== undefined && cursors === 'keyset' ? (JSON.parse(cursor) as FakeResource) : undefined;
		const begin =
			after === undefined ? Number(cursor ?? 0) : sorted.findIndex((thing) => this.compare(thing, after) > 0);
		const size = limit ?? pageSize;
		const shown = begin < 0 ? [] : sorted.slice(begin, begin + size);
		const hasMore = begin >= 0 && begin + size < sorted.length;
		const next = cursors === 'offset' ? String(begin + size) : JSON.stringify(shown.at(-1));
		return ok({
			data: shown.map(show),
			pagination: { has_more: hasMore, next_cursor: hasMore ? next : null },
			request_id: this.requestId(),
		});
	}

	/** Those of one workflow or run; sought only once while nothing is added. */
	private of(things: FakeResource[], id: string): FakeResource[] {
		const kept = this.kept.get(things)?.get(id);
		if (kept?.of === things.length) return kept.found;
		const found = things.filter((thing) => thing.of === id);
		if (!this.kept.has(things)) this.kept.set(things, new Map());
		this.kept.get(things)!.set(id, { of: things.length, found });
		return found;
	}

	private sorted(things: FakeResource[]): FakeResource[] {
		const kept = this.inOrder.get(things);
		if (kept && kept.order === this.options.order && kept.sorted.length === things.length) return kept.sorted;
		const sorted = [...things].sort((a, b) => this.compare(a, b));
		this.inOrder.set(things, { order: this.options.order, sorted });
		return sorted;
	}

	private compare(a: FakeResource, b: FakeResource): number {
		const { order } = this.options;
		const byId = a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
		if (order === 'shuffled') return byId;
		return (order === 'newest' ? b.created - a.created : a.created - b.created) || byId;
	}

	private requestId = () => `req_${this.requests.length}`;
}

const ok = (body: object): HttpResponse => ({ statusCode: 200, headers: {}, body });
const notFound: HttpResponse = { statusCode: 404, headers: {}, body: { message: 'no such thing' } };

function failing(
	kind: OutageKind,
	{ timeout = 0 }: IHttpRequestOptions,
	letPass: (milliseconds: number) => void,
): HttpResponse {
	switch (kind) {
		case 'endless':
			letPass(timeout);
			throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
		case 'tooMany':
			return { statusCode: 429, headers: {}, body: {} };
		case 'unavailable':
			return { statusCode: 503, headers: {}, body: '' };
		case 'webPage':
			return { statusCode: 200, headers: {}, body: '<html>Maintenance</html>' };
		case 'forbidden':
			return { statusCode: 403, headers: {}, body: {} };
		case 'notFound':
			return notFound;
		case 'network':
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	}
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const common = ({ id, created, updated }: FakeResource) => ({
	id,
	created_at: iso(created),
	updated_at: iso(updated),
});
const asWorkflow = (thing: FakeResource) => ({
	...common(thing),
	object: 'prospector_workflow',
	name: thing.id,
});
const asRun = (thing: FakeResource) => ({
	...common(thing),
	object: 'prospector_run',
	status: thing.status,
	workflow_id: thing.of,
});
const asResult = (thing: FakeResource) => ({
	...common(thing),
	object: 'prospector_result',
	lead_id: `lead of ${thing.id}`,
	company_name: 'A company',
});
