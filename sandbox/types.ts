import type { Fields, SandboxSettings } from './settings';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** What the issuing membership may do (contract 5.3). */
export type Membership = 'full' | 'read_only';

export type KeyStatus = 'active' | 'revoked' | 'expired';

/** A key as the control API shows it. Rotated-away records stay listed, as `revoked`. */
export interface KeyView {
	name: string;
	secret: string;
	membership: Membership;
	scopes: string[];
	status: KeyStatus;
	/** ISO 8601, or null for a key without an end. */
	expiresAt: string | null;
}

export interface NewKey {
	/** Letters, digits, `_` and `-`; not taken yet. */
	name: string;
	/** Default `full`. */
	membership?: Membership;
	/** Default: every scope of contract 5.2. */
	scopes?: string[];
	/** ISO 8601; default never. */
	expiresAt?: string | null;
}

/** Secrets of the ready-made keys. */
export interface ReadyMadeKeys {
	full: string;
	readOnlyScope: string;
	noMeRead: string;
	readOnlyMembership: string;
	revoked: string;
	expired: string;
}

export type OperationName =
	| 'getConfig'
	| 'listWorkflows'
	| 'createWorkflow'
	| 'getWorkflow'
	| 'updateWorkflow'
	| 'deleteWorkflow'
	| 'runWorkflow'
	| 'listRuns'
	| 'getRun'
	| 'listResults'
	| 'getMe';

/**
 * - `drop`: closes the connection without an answer
 * - `reset`: resets the connection (TCP RST) without an answer
 * - `status`: answers with `status`, `headers` and `body`
 * - `cutBody`: sends the headers and half of the body, then closes the connection
 * - `notJson`: answers 200 with a web page, or with `body`
 * - `notEnvelope`: answers 200 with JSON that is no envelope, or with `body`
 * - `slow`: answers after `delayMs`
 * - `hang`: never answers and keeps the connection open
 * - `redirect`: redirects to `location`
 * - `switchProtocols`: answers 101 Switching Protocols, though nobody asked for it, and keeps the connection open
 * - `trickle`: sends the headers at once and then one byte of the body per `delayMs`
 * - `endless`: answers 200 with JSON that never ends, as fast as the client reads
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
	| 'endless';

/** All given parts must fit. An empty match fits every request. */
export interface FaultMatch {
	method?: string;
	/** Part of the path. */
	path?: string;
	/**
	 * Source of a regular expression that must match in the path. It runs in linear time (RE2), so it has no lookarounds
	 * and no backreferences.
	 */
	pathRegex?: string;
	keyName?: string;
	operation?: OperationName;
}

export interface FaultRule {
	/** Default `fault_1`, `fault_2`, …. */
	id?: string;
	match?: FaultMatch;
	kind: FaultKind;
	/** How often it strikes; default 1; 0 (or Infinity, in-process) is without end. */
	times?: number;
	/** Fitting requests let through first; default 0. */
	skip?: number;
	/**
	 * Chance to strike per fitting request after `skip`, 0 to 1; default 1. The roll for a request depends on the
	 * setting `faultSeed`, the number of the rule, the request's method, path and Idempotency-Key, and how many such
	 * requests the rule has met before: not on the order in which requests arrive side by side.
	 */
	probability?: number;
	/**
	 * `before` (default): the request never reaches the service: no authentication, no count against the limit,
	 * no change. `after`: it does all it does, and only the answer is harmed. `cutBody` and
	 * `trickle` are always `after`.
	 */
	when?: 'before' | 'after';
	/** `status`: the status to answer with. `redirect`: 301, 302 (default), 303, 307 or 308. */
	status?: number;
	/** `status` only. */
	headers?: Record<string, string>;
	/** `status`, `notJson`, `notEnvelope`: a string is sent as it is, anything else as JSON. */
	body?: unknown;
	/**
	 * Real milliseconds, whatever the sandbox clock says. `slow`: before the answer. `trickle`: before each byte after
	 * the first; default 1000.
	 */
	delayMs?: number;
	/** `redirect`: where to. */
	location?: string;
}

export interface FaultView extends FaultRule {
	id: string;
	match: FaultMatch;
	/** Fitting requests seen so far, skipped ones included. */
	matched: number;
	/** Times it struck so far. */
	fired: number;
	/** True once `times` is used up. */
	spent: boolean;
}

/** One request to /api/public/v1. Never holds a secret. */
export interface JournalEntry {
	/** 1, 2, 3 … in order of arrival. */
	sequence: number;
	/** ISO 8601, time of arrival on the sandbox clock. */
	time: string;
	method: string;
	/** As sent, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	/** Name of the key, also when it is revoked or expired; null when no known key came. */
	keyName: string | null;
	/** Null for a path that is no operation. */
	operation: OperationName | null;
	idempotencyKey: string | null;
	/** Parsed JSON; the plain text where it does not parse; null without a body. */
	body: unknown;
	contentType: string | null;
	userAgent: string | null;
	hasAuthorization: boolean;
	/** Null while under way, and for good when the answer was withheld. */
	status: number | null;
	/** Of the answer, also when that was withheld; null when there was none to make. */
	requestId: string | null;
	fault: { id: string; kind: FaultKind } | null;
	/** This request changed the workspace. */
	committed: boolean;
	/** Answered from the memory of idempotency keys. */
	replayed: boolean;
	/** Why it was refused, in words that clients do not get. */
	reason: string | null;
}

export interface WorkflowSeed {
	name?: string;
	status?: string;
	/** ISO 8601; default now. */
	createdAt?: string;
	/** Further fields, kept like those of a request body. */
	fields?: Fields;
	/** A number of finished runs, or each of them. */
	runs?: number | RunSeed[];
}

export interface RunSeed {
	/** Needed where the run does not sit inside a workflow seed. */
	workflowId?: string;
	/** Default: the final word. The run stays at this word. */
	status?: string;
	/** Default `resultsPerRun`. */
	results?: number;
	createdAt?: string;
	/** True: passes through the statuses like one that was started by a request. */
	live?: boolean;
}

export interface ResultSeed {
	runId: string;
	/** Default 1. */
	count?: number;
	companyName?: string;
	leadId?: string;
	/** Default now. */
	createdAt?: string;
}

export interface SeedRequest {
	workflows?: number | WorkflowSeed[];
	runs?: RunSeed[];
	results?: ResultSeed[];
}

/** Ids of what was added. */
export interface SeedOutcome {
	workflows: string[];
	runs: string[];
	results: string[];
}

export interface RunTruth {
	id: string;
	workflowId: string;
	status: string;
	createdAt: string;
	origin: 'request' | 'seed';
	/** Idempotency-Key of the request that started it. */
	idempotencyKey: string | null;
	/** Results visible now, and in the end. */
	results: number;
	resultsInTheEnd: number;
}

export interface RunsSummary {
	/** Runs started by requests. */
	started: number;
	seeded: number;
	/** Workflow id → runs started by requests. */
	perWorkflow: Record<string, number>;
	runs: RunTruth[];
}

export interface SandboxState {
	baseUrl: string;
	/** ISO 8601, on the sandbox clock. */
	now: string;
	settings: SandboxSettings;
	keys: KeyView[];
	counts: {
		/** Not counting deleted ones. */
		workflows: number;
		/** By requests, deleted ones included. */
		workflowsCreated: number;
		workflowsDeleted: number;
		runs: number;
		/** By requests. */
		runsStarted: number;
		/** Visible now. */
		results: number;
		journal: number;
		faults: number;
	};
}

/** The verbs of the control API, in-process. All throw ControlError (status 400 or 404) on bad input. */
export interface Control {
	state(): SandboxState;
	patchSettings(patch: Partial<SandboxSettings>): SandboxSettings;
	seed(request: SeedRequest): SeedOutcome;
	createKey(key: NewKey): KeyView;
	/** Gives the new record; the old secret is dead from here on (contract 5.3). */
	rotateKey(name: string): KeyView;
	revokeKey(name: string): KeyView;
	faults(): FaultView[];
	addFault(rule: FaultRule): FaultView;
	/** All rules, or the one with this id. Gives how many went. */
	clearFaults(id?: string): number;
	journal(): JournalEntry[];
	clearJournal(): number;
	runs(): RunsSummary;
	/** Changes a run's status, from now on. */
	setRunStatus(id: string, status: string): RunTruth;
	/** Back to how the sandbox started: data, keys, settings, clock, limits, faults, journal. */
	reset(): SandboxState;
	/** Moves the sandbox clock forward. */
	advanceClock(ms: number): { now: string };
}

export interface SandboxOptions {
	/** Default 0: a free port. */
	port?: number;
	settings?: Partial<SandboxSettings>;
	/** Default Date.now. */
	clock?: Clock;
	/** Demo data; default true. */
	seed?: boolean;
	/** Called once per request, when its fate is known. */
	onRequest?: (entry: JournalEntry) => void;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`, no path. */
	baseUrl: string;
	/** `http://127.0.0.1:PORT/_control`. */
	controlUrl: string;
	keys: ReadyMadeKeys;
	control: Control;
	/** Ends open and hanging connections too. */
	close(): Promise<void>;
}
