import { openExchange, type Outcome } from './exchange';
import type { ApiRequest } from './handleRequest';
import { createService } from './service';
import type { SandboxSettings } from './settings';
import type { Clock, Control, ReadyMadeKeys } from './types';
import { copyWithoutPrototype } from './values';

export interface SimulatorOptions {
	/** The service's clock. */
	clock: Clock;
	settings?: Partial<SandboxSettings>;
	/** Called before the service handles a request; may change the service. */
	beforeRequest?: (request: SimulatedRequest) => void;
	/** Called with the milliseconds until a response, or until the timeout; must move the clock by them. May be 0. */
	advance?: (ms: number) => void;
}

/** A request in the form of n8n's HTTP helper. */
export interface SimulatedRequest {
	method: string;
	url: string;
	qs?: Record<string, unknown>;
	/** Without an `authorization` header, the request has the full ready-made key. */
	headers?: Record<string, unknown>;
	body?: unknown;
	/** Milliseconds. */
	timeout?: number;
}

export interface SimulatedResponse {
	statusCode: number;
	headers: Record<string, string>;
	body: unknown;
	/** The body as sent, decoded as UTF-8. */
	text: string;
}

/** The sandbox without a server, for a virtual clock. It has no demo data. */
export interface Simulator {
	control: Control;
	keys: ReadyMadeKeys;
	/**
	 * Responds as n8n's HTTP helper does with `returnFullResponse` and `ignoreHttpStatusErrors`: the body is parsed JSON, or
	 * text if it isn't JSON.
	 *
	 * @throws an error with the code ECONNRESET if the connection is lost, or ECONNABORTED if the timeout passes
	 */
	request(request: SimulatedRequest): Promise<SimulatedResponse>;
}

/** That of n8n's HTTP helper. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** @throws ControlError on an invalid setting */
export function createSimulator({
	clock,
	settings,
	beforeRequest,
	advance = () => {},
}: SimulatorOptions): Simulator {
	const service = createService({ clock, settings, baseUrl: () => '' });
	const keys = service.state().keys.readyMade();
	const respond = (request: SimulatedRequest): SimulatedResponse => {
		beforeRequest?.(request);
		const { timeout: timeoutMs = DEFAULT_TIMEOUT_MS } = request;
		const { entry, delayMs, decide } = openExchange(service, toApiRequest(request, keys.full));
		const waitedMs = Math.min(delayMs, timeoutMs);
		advance(waitedMs);
		const outcome = decide();
		const durationMs = delayMs + deliveryMs(outcome);
		advance(Math.min(durationMs, timeoutMs) - waitedMs);
		if (durationMs > timeoutMs) {
			throw Object.assign(new Error(`timeout of ${timeoutMs}ms exceeded`), { code: 'ECONNABORTED' });
		}
		if (outcome.kind === 'switchProtocols') entry.status = 101;
		if (outcome.kind !== 'response' && outcome.kind !== 'trickle') {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		const { status, headers } = outcome.content;
		const text = Buffer.from(outcome.content.text).toString();
		entry.status = status;
		return { statusCode: status, headers, body: parseJson(text), text };
	};
	const { control } = service;
	return { control, keys, request: async (request) => await Promise.resolve(respond(request)) };
}

/** Returns the milliseconds from the beginning of a response to its end. */
function deliveryMs(outcome: Outcome): number {
	if (outcome.kind === 'trickle') {
		return (Buffer.byteLength(outcome.content.text) - 1) * outcome.byteDelayMs;
	}
	return outcome.kind === 'hang' || outcome.kind === 'endless' ? Infinity : 0;
}

function toApiRequest(request: SimulatedRequest, key: string): ApiRequest {
	const { method, url, qs = {}, headers = {}, body } = request;
	const { pathname, searchParams } = new URL(url);
	const sent = Object.entries(qs).flatMap(([name, value]) =>
		value == null ? [] : [[name, String(value)] as const],
	);
	const isText = typeof body === 'string';
	return {
		method,
		path: pathname,
		query: copyWithoutPrototype([...searchParams, ...sent]),
		headers: Object.fromEntries([
			['authorization', `Bearer ${key}`],
			...(body !== undefined && !isText ? [['content-type', 'application/json']] : []),
			...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
		]) as Record<string, string>,
		body: isText ? body : (JSON.stringify(body) ?? ''),
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
