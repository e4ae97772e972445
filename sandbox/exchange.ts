import { JSON_TYPE, renderError } from './errors';
import { handleRequest, parseBody, type ApiRequest } from './handleRequest';
import { iso } from './ids';
import type { Operation } from './operations';
import { findRoute } from './routing';
import type { Service } from './service';
import type { ServiceState } from './serviceState';
import type { FaultRule, FaultView, JournalEntry } from './types';
import { copyWithoutPrototype } from './values';

export interface ResponseContent {
	status: number;
	headers: Record<string, string>;
	text: string;
	/** Null if the request had no effect and the response has no request ID. */
	requestId: string | null;
}

/** What the client receives. */
export type Outcome =
	| { kind: 'response' | 'cutBody'; content: ResponseContent }
	| { kind: 'trickle'; content: ResponseContent; byteDelayMs: number }
	| { kind: 'raw'; rule: FaultRule; content?: undefined }
	| { kind: 'breakTls' | 'drop' | 'reset' | 'hang' | 'endless' | 'switchProtocols'; content?: undefined };

export interface Exchange {
	/** The transport sets the status in the end. */
	entry: JournalEntry;
	/** Milliseconds until `decide` must be called. */
	delayMs: number;
	/** Lets the request take effect unless a fault prevents it, and returns the outcome. */
	decide(): Outcome;
}

/** Adds a request to the journal and applies the fault rule that fires for it. Independent of the transport. */
export function openExchange(service: Service, request: ApiRequest): Exchange {
	const { newRequestId } = service;
	const state = service.state();
	const route = findRoute(request.method, request.path);
	const entry = addJournalEntry(state, route.operation, request);
	const handle = () => {
		const { committed, replayed, reason, ...content } = handleRequest(state, route, request, newRequestId());
		Object.assign(entry, { committed, replayed, reason });
		return content;
	};
	const fault = state.faults.match(entry);
	if (fault) entry.fault = { id: fault.id, kind: fault.kind };
	// With a fault after the effect, the request takes effect now, otherwise in `decide`.
	const early = fault?.when === 'after' ? handle() : undefined;
	return {
		entry,
		delayMs: (fault?.kind === 'slow' && fault.delayMs) || 0,
		decide() {
			const handled = !fault || fault.kind === 'slow' ? (early ?? handle()) : early;
			const outcome = decideOutcome(fault, handled, state, newRequestId);
			entry.requestId = (handled ?? outcome.content)?.requestId ?? null;
			const { dateHeader, dateHeaderOffsetMs: offsetMs, dateHeaderStepMs: stepMs } = state.settings;
			if (outcome.content && dateHeader) {
				const now = state.clock();
				const date = new Date(now - (now % Math.max(stepMs, 1)) + offsetMs).toUTCString();
				outcome.content.headers = { date, ...outcome.content.headers };
			}
			return outcome;
		},
	};
}

/** @param handled the service's response; absent if the fault replaces the request's effect */
function decideOutcome(
	fault: FaultView | undefined,
	handled: ResponseContent | undefined,
	{ settings }: ServiceState,
	newRequestId: () => string,
): Outcome {
	const requestId = handled?.requestId ?? null;
	const replace = (status: number, headers: Record<string, string>, text: string): Outcome => ({
		kind: 'response',
		content: { status, headers, text, requestId },
	});
	// The faults of these three kinds never replace the effect.
	if (handled && (!fault || fault.kind === 'slow')) return { kind: 'response', content: handled };
	if (handled && fault?.kind === 'cutBody') return { kind: 'cutBody', content: handled };
	if (handled && fault?.kind === 'trickle') {
		return { kind: 'trickle', content: handled, byteDelayMs: fault.delayMs ?? 0 };
	}
	switch (fault?.kind) {
		case 'status': {
			const status = fault.status ?? 500;
			const id = requestId ?? newRequestId();
			const { text, headers } =
				fault.body === undefined ? renderError(status, id, settings) : renderBody(fault.body);
			const content = { status, text, headers: { ...headers, ...fault.headers }, requestId: id };
			return { kind: 'response', content };
		}
		case 'notJson': {
			const page = '<!doctype html><title>Sign in</title><p>Please sign in.</p>';
			const { text } = renderBody(fault.body ?? page);
			return replace(fault.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }, text);
		}
		case 'notEnvelope':
			return replace(200, { 'content-type': JSON_TYPE }, renderBody(fault.body ?? { ok: true }).text);
		case 'redirect':
			return replace(fault.status ?? 302, { location: fault.location ?? '/' }, '');
		case 'raw':
			return { kind: 'raw', rule: fault };
		default:
			return { kind: fault?.kind as 'drop' };
	}
}

function renderBody(body: unknown): { text: string; headers: Record<string, string> } {
	return typeof body === 'string'
		? { text: body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
		: { text: JSON.stringify(body), headers: { 'content-type': JSON_TYPE } };
}

function addJournalEntry(
	state: ServiceState,
	operation: Operation | undefined,
	request: ApiRequest,
): JournalEntry {
	const { method, path, query, headers, body } = request;
	return state.journal.add({
		time: iso(state.clock()),
		method,
		path,
		query: copyWithoutPrototype(Object.entries(query as JournalEntry['query'])),
		keyName: state.keys.keyNameOf(headers.authorization),
		operation: operation?.name ?? null,
		idempotencyKey: headers['idempotency-key'] ?? null,
		body: parseBody(body),
		bodyText: body,
		contentType: headers['content-type'] ?? null,
		userAgent: headers['user-agent'] ?? null,
		hasAuthorization: headers.authorization !== undefined,
	});
}
