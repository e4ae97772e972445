import type { KeyView, NewKey, ReadyMadeKeys } from './apiKeyStore';
import type { Clock } from './clock';
import type { Company } from './companies';
import type { OperationName } from './operations';
import type { Fields, SandboxSettings } from './settings';

export type { Clock } from './clock';
export type { KeyStatus, KeyView, Membership, NewKey, ReadyMadeKeys } from './apiKeyStore';
export type { OperationName } from './operations';

/**
 * - `drop`: closes the connection without a response
 * - `reset`: resets the connection (TCP RST) without a response
 * - `status`: responds with `status`, `headers` and `body`
 * - `cutBody`: sends the headers and half of the body, then closes the connection
 * - `notJson`: responds with `status` and a web page, or with `body`
 * - `notEnvelope`: responds 200 with JSON that is no envelope, or with `body`
 * - `slow`: responds after `delayMs`
 * - `hang`: never responds and keeps the connection open
 * - `redirect`: redirects to `location`
 * - `switchProtocols`: responds with an unsolicited 101 Switching Protocols and keeps the connection open
 * - `trickle`: sends the headers at once, then one byte of the body per `delayMs`
 * - `endless`: responds 200 with endless JSON, as fast as the client reads
 * - `breakTls`: sends bytes that are no TLS and closes the connection; without TLS like `drop`
 * - `raw`: sends `bytes` and closes the connection unless `keepOpen` is set; in process, the connection is lost
 */
export type FaultKind =
	| 'drop'
	| 'reset'
	| 'status'
	| 'cutBody'
	| 'notJson'
	| 'notEnvelope'
	| 'slow'
	| 'hang'
	| 'redirect'
	| 'switchProtocols'
	| 'trickle'
	| 'endless'
	| 'breakTls'
	| 'raw';

/** All conditions must be met. An empty object matches every request. */
export interface FaultMatch {
	/** Substring of the path. */
	path?: string;
	keyName?: string;
	operation?: OperationName;
}

export interface FaultRule {
	/** Default `fault_1`, `fault_2`, …. */
	id?: string;
	match?: FaultMatch;
	kind: FaultKind;
	/** How often the rule fires; default 1; 0 (or Infinity, in-process) means always. */
	times?: number;
	/** Number of matching requests before the rule fires; default 0. */
	skip?: number;
	/** Chance to fire per matching request after `skip`, 0 to 1; default 1. The same rules fire for the same requests. */
	probability?: number;
	/**
	 * `before` (default): the request has no effect: no authentication, no use of the rate limit, no change.
	 * `after`: the request takes full effect, and only the response is changed. `cutBody` and `trickle` are always
	 * `after`.
	 */
	when?: 'before' | 'after';
	/** `status`, `notJson` (200): status of the response. `redirect`: 301, 302 (default), 303, 307 or 308. */
	status?: number;
	/** `status` only. */
	headers?: Record<string, string>;
	/** `status`, `notJson`, `notEnvelope`: a string is sent as text, any other value as JSON. */
	body?: unknown;
	/**
	 * Real milliseconds, independent of the sandbox clock. `slow`: before the response. `trickle` and `raw`: before each
	 * byte after the first; by default 1000 for `trickle` and 0 for `raw`.
	 */
	delayMs?: number;
	/** `redirect` only. */
	location?: string;
	/** `raw` only: what is sent, a status line included, with one character (U+0000 to U+00FF) per byte. */
	bytes?: string;
	/** `raw` only: whether the connection stays open after the last byte; default false. */
	keepOpen?: boolean;
}

export interface FaultView extends FaultRule {
	id: string;
	match: FaultMatch;
	/** Number of matching requests so far, skipped ones included. */
	matched: number;
	/** How often the rule has fired so far. */
	fired: number;
	/** Whether the rule has fired `times` times. */
	exhausted: boolean;
}

/** One request to /api/public/v1. Never holds a secret. */
export interface JournalEntry {
	/** 1, 2, 3, … in the order of arrival. */
	sequence: number;
	/** Time of arrival on the sandbox clock, ISO 8601. */
	time: string;
	method: string;
	/** As sent, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	/** Null without a known key; revoked and expired keys are known. */
	keyName: string | null;
	/** Null if the path is no operation. */
	operation: OperationName | null;
	idempotencyKey: string | null;
	/** Parsed JSON, plain text if it is not JSON, null without a body. */
	body: unknown;
	/** The body as sent; empty without a body. */
	bodyText: string;
	contentType: string | null;
	userAgent: string | null;
	hasAuthorization: boolean;
	/** Null while the request is in flight, and if the response was not sent completely or its fault is `raw`. */
	status: number | null;
	/** Of the response, even if it was not sent; null if the request had no effect. */
	requestId: string | null;
	fault: { id: string; kind: FaultKind } | null;
	/** Whether the request changed the workspace. */
	committed: boolean;
	/** Whether the response was repeated because of its Idempotency-Key. */
	replayed: boolean;
	/** Why the request was rejected. Clients don't receive it. */
	reason: string | null;
}

export interface AppearanceSeed {
	/**
	 * Any JSON; default a new ID. Responses show it as it is. Only a string of 1 character or more is also the ID in paths
	 * and in the control API; instead of any other value, they take a new ID, which the outcome contains.
	 */
	id?: unknown;
	/** `created_at`, ISO 8601; default now. */
	createdAt?: string;
	/** Time from which lists contain the resource, ISO 8601; default `createdAt`. */
	visibleAt?: string;
}

export interface WorkflowSeed extends AppearanceSeed {
	name?: string;
	status?: string;
	/** Other fields of a request body. */
	fields?: Fields;
	/** A number of finished runs, or a list of runs. */
	runs?: number | RunSeed[];
	/** What its runs find, one run after the other. When all were found, the names repeat. Default: invented names. */
	companies?: Company[];
}

/** Lists of several workflows can contain the same run ID. All other requests get the run that was added last. */
export interface RunSeed extends AppearanceSeed {
	/** Required unless the run is part of a workflow seed. */
	workflowId?: string;
	/** Any JSON; default: the final status. Unless the run is live, it has this status from the start. */
	status?: unknown;
	/** Default `resultsPerRun`. */
	results?: number;
	/** Whether the run passes through the statuses like a run started by a request. */
	live?: boolean;
}

export interface ResultSeed extends Company, AppearanceSeed {
	runId: string;
	/** Default 1. */
	count?: number;
}

export interface SeedRequest {
	workflows?: number | WorkflowSeed[];
	runs?: RunSeed[];
	results?: ResultSeed[];
}

/** IDs of the added data. */
export interface SeedOutcome {
	workflows: string[];
	runs: string[];
	results: string[];
}

export interface RunSummary {
	id: string;
	workflowId: string;
	/** As JSON if it is no string. */
	status: string;
	createdAt: string;
	origin: 'request' | 'seed';
	/** Idempotency-Key of the request that started it. */
	idempotencyKey: string | null;
	/** Number of results so far. */
	results: number;
	finalResults: number;
}

export interface RunsSummary {
	/** Number of runs started by requests. */
	started: number;
	seeded: number;
	/** Workflow ID → number of runs started by requests. */
	perWorkflow: Record<string, number>;
	runs: RunSummary[];
}

export interface SandboxState {
	baseUrl: string;
	/** ISO 8601, on the sandbox clock. */
	now: string;
	settings: SandboxSettings;
	keys: KeyView[];
	counts: {
		/** Without deleted ones. */
		workflows: number;
		/** By requests, including deleted ones. */
		workflowsCreated: number;
		workflowsDeleted: number;
		runs: number;
		/** By requests. */
		runsStarted: number;
		/** Number of results so far. */
		results: number;
		journal: number;
		faults: number;
	};
}

/** The control API, in-process. All functions throw ControlError (status 400 or 404) on invalid input. */
export interface Control {
	state(): SandboxState;
	patchSettings(patch: Partial<SandboxSettings>): SandboxSettings;
	seed(request: SeedRequest): SeedOutcome;
	createKey(key: NewKey): KeyView;
	/** Returns the new record. The old secret is revoked at once (contract, section 5.3). */
	rotateKey(name: string): KeyView;
	faults(): FaultView[];
	addFault(rule: FaultRule): FaultView;
	/** Removes all rules, or the one with this ID. Returns the number of removed rules. */
	clearFaults(id?: string): number;
	journal(): JournalEntry[];
	clearJournal(): number;
	runs(): RunsSummary;
	/** Sets a run's status, any JSON, from now on. */
	setRunStatus(id: string, status: unknown): RunSummary;
	deleteRun(id: string): void;
	deleteResult(id: string): void;
	deleteWorkflow(id: string): void;
	/** Restores a deleted workflow as it was before. */
	restoreWorkflow(id: string): void;
	/** Restores the initial data, keys, settings, clock, limits, faults and journal. */
	reset(): SandboxState;
	/** Moves the sandbox clock forward. */
	advanceClock(ms: number): { now: string };
}

export interface SandboxOptions {
	/** Default 0, which picks a free port. */
	port?: number;
	settings?: Partial<SandboxSettings>;
	/** Default Date.now. */
	clock?: Clock;
	/** Serves HTTPS: key and certificate in PEM, and whether clients need a certificate. */
	tls?: { key: string; cert: string; requestCert?: boolean };
	/** Demo data; default true. */
	seed?: boolean;
	/** Called once per request, after its response. */
	onRequest?: (entry: JournalEntry) => void;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`, or `https` with `tls`, without a path. */
	baseUrl: string;
	/** `http://127.0.0.1:PORT/_control`. */
	controlUrl: string;
	keys: ReadyMadeKeys;
	control: Control;
	/** Also closes connections of requests in flight. */
	close(): Promise<void>;
}
