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
	/** ID of a run's workflow, or of a result's run. */
	parentId: string;
}

export interface ServiceOptions {
	order: Order;
	cursors: Cursors;
	pageSize: number;
	now: () => number;
	/** Whether responses have a `Date` header. */
	hasDate?: boolean;
	/** IDs of the first resources of each kind. */
	ids?: string[];
}

const PREFIX = '/api/public/v1/prospector';

/** The endpoints that a trigger uses, in memory, with faults on demand. */
export class Service {
	readonly workflows: FakeResource[] = [];
	readonly runs: FakeResource[] = [];
	readonly results: FakeResource[] = [];
	/** IDs of deleted workflows, whose runs still exist but are no longer listed. */
	readonly deleted = new Set<string>();
	/** Called before a request is answered. */
	onRequest: (path: string) => void = () => {};
	/** Responds in place of the service; may throw, as n8n's HTTP helper does. */
	outage: ((options: IHttpRequestOptions) => HttpResponse) | undefined;
	requests: string[] = [];
	private count = 0;
	/** Children by list and parent, with the length of the list at that time. */
	private readonly children = new Map<
		FakeResource[],
		Map<string, { length: number; found: FakeResource[] }>
	>();
	private readonly sortedLists = new WeakMap<FakeResource[], { order: Order; sorted: FakeResource[] }>();
	private rejectsNextCursor = false;

	constructor(readonly options: ServiceOptions) {}

	addWorkflow = (id?: string) => this.add(this.workflows, 'wf', '', 'active', id);
	addRun = (workflow: FakeResource, status: string, id?: string) =>
		this.add(this.runs, 'run', workflow.id, status, id);
	addResult = (run: FakeResource, id?: string) => this.add(this.results, 'res', run.id, '', id);

	setStatus(run: FakeResource, status: string): void {
		run.status = status;
		run.updated = this.options.now();
	}

	/** Responds as n8n's HTTP helper does. */
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
			return this.page(this.childrenOf(id, this.runs), query, asRun);
		}
		if (kind === 'workflows' && id !== undefined) {
			const workflow = this.workflows.find((one) => one.id === id);
			return workflow ? ok({ data: asWorkflow(workflow), request_id: this.requestId() }) : notFound;
		}
		if (kind === 'workflows') return this.page(this.workflows, query, asWorkflow);
		const run = this.runs.find((one) => one.id === id);
		if (!run) return notFound;
		if (list === 'results') {
			return this.page(this.childrenOf(id, this.results), query, asResult);
		}
		return ok({ data: asRun(run), request_id: this.requestId() });
	}

	/** Rejects the cursor of the next request that has one. */
	rejectCursor(): void {
		this.rejectsNextCursor = true;
	}

	deleteWorkflow(workflow: FakeResource): void {
		this.deleted.add(workflow.id);
		this.workflows.splice(this.workflows.indexOf(workflow), 1);
		this.sortedLists.delete(this.workflows);
	}

	/** Makes all requests fail until {@link endOutage}. @param advance moves the clock */
	startOutage(kind: OutageKind, advance: (milliseconds: number) => void): void {
		this.outage = (options) => failWith(kind, options, advance);
	}

	endOutage(): void {
		this.outage = undefined;
	}

	protected add(
		list: FakeResource[],
		prefix: string,
		parentId: string,
		status: string,
		id?: string,
	): FakeResource {
		const now = this.options.now();
		// IDs in no order, so that resources with equal times have none either.
		const number = ((++this.count * 7919) % 99_991).toString(36);
		const newId = id ?? this.options.ids?.[list.length] ?? `${prefix}_${number}_${this.count}`;
		const resource = { id: newId, created: now, updated: now, status, parentId };
		list.push(resource);
		return resource;
	}

	private page(
		resources: FakeResource[],
		{ cursor, limit }: { cursor?: string; limit?: number } = {},
		toJson: (resource: FakeResource) => object,
	): HttpResponse {
		const { cursors, pageSize } = this.options;
		if (cursor !== undefined && this.rejectsNextCursor) {
			this.rejectsNextCursor = false;
			return { statusCode: 400, headers: {}, body: { message: 'unknown cursor' } };
		}
		const sorted = this.sorted(resources);
		const last =
			cursor !== undefined && cursors === 'keyset' ? (JSON.parse(cursor) as FakeResource) : undefined;
		const start =
			last === undefined
				? Number(cursor ?? 0)
				: sorted.findIndex((resource) => this.compare(resource, last) > 0);
		const size = limit ?? pageSize;
		const page = start < 0 ? [] : sorted.slice(start, start + size);
		const hasMore = start >= 0 && start + size < sorted.length;
		const next = cursors === 'offset' ? String(start + size) : JSON.stringify(page.at(-1));
		return ok({
			data: page.map(toJson),
			pagination: { has_more: hasMore, next_cursor: hasMore ? next : null },
			request_id: this.requestId(),
		});
	}

	/** Returns a workflow's runs or a run's results. Searches again only after something was added to the list. */
	private childrenOf(parentId: string, list: FakeResource[]): FakeResource[] {
		const { length } = list;
		const cached = this.children.get(list)?.get(parentId);
		if (cached?.length === length) return cached.found;
		const found = list.filter((resource) => resource.parentId === parentId);
		if (!this.children.has(list)) this.children.set(list, new Map());
		this.children.get(list)!.set(parentId, { length, found });
		return found;
	}

	private sorted(list: FakeResource[]): FakeResource[] {
		const { order } = this.options;
		const cached = this.sortedLists.get(list);
		if (cached?.order === order && cached.sorted.length === list.length) return cached.sorted;
		const sorted = [...list].sort((a, b) => this.compare(a, b));
		this.sortedLists.set(list, { order, sorted });
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
const notFound: HttpResponse = { statusCode: 404, headers: {}, body: { message: 'not found' } };

/** Responds, or throws, as n8n's HTTP helper does during an outage. */
function failWith(
	kind: OutageKind,
	{ timeout = 0 }: IHttpRequestOptions,
	advance: (milliseconds: number) => void,
): HttpResponse {
	switch (kind) {
		case 'endless':
			advance(timeout);
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
const asWorkflow = (resource: FakeResource) => ({
	...common(resource),
	object: 'prospector_workflow',
	name: resource.id,
});
const asRun = (resource: FakeResource) => ({
	...common(resource),
	object: 'prospector_run',
	status: resource.status,
	workflow_id: resource.parentId,
});
const asResult = (resource: FakeResource) => ({
	...common(resource),
	object: 'prospector_result',
	lead_id: `lead of ${resource.id}`,
	company_name: 'A company',
});
