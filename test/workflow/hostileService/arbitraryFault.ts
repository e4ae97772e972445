import fc from 'fast-check';
import { gzipSync } from 'node:zlib'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { FaultRule } from '../../../sandbox/types';
import { API_KEY_FORMS } from './apiKeyForms';

/** Faster than the shortest Request Timeout: a timeout that only counts silence never passes. */
const TRICKLE_MS = 250;
const OK = 'HTTP/1.1 200 OK\r\n';
const UPGRADE = 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
const raw = (bytes: string, delayMs = 0): FaultRule => ({ kind: 'raw', bytes, delayMs, keepOpen: true });

/** Responses that end after the Request Timeout of a second, or never. */
const LATE_FAULTS: FaultRule[] = [
	{ kind: 'hang' },
	{ kind: 'switchProtocols' },
	{ kind: 'trickle', delayMs: TRICKLE_MS },
	raw('HTTP/1.1 101 x\r\n\r\n'),
	raw(UPGRADE + '\0'.repeat(100_000), 1),
	raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000), 1),
	raw(`${OK}x-long: aaaaaaaaaaaaaaaaaaaa`, TRICKLE_MS),
	raw(`${OK}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(10_000)}`, 1),
	raw(`${OK}content-length: 1000\r\n\r\n{"data":{"id":"run_1"`),
];

/** Returns the headers of a body, and the body. Some don't fit together. */
const FRAMINGS: Array<(body: string) => [headers: string, body: string]> = [
	(body) => [`content-length: ${body.length}\r\n`, body],
	(body) => [`content-length: ${body.length + 10}\r\n`, body],
	(body) => [`content-length: ${Math.max(body.length - 10, 0)}\r\n`, body],
	(body) => ['', body],
	(body) => ['transfer-encoding: chunked\r\n', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
	(body) => ['transfer-encoding: chunked\r\n', `zz\r\n${body}\r\n0\r\n\r\n`],
	(body) => ['content-encoding: gzip\r\n', gzipSync(Buffer.from(body, 'latin1')).toString('latin1')],
	(body) => ['content-encoding: gzip\r\n', body],
];

const STATUS_LINES = [
	...[100, 101, 102, 103, 199, 204, 205, 304, 600, 999].map((status) => `HTTP/1.1 ${status} x\r\n`),
	...['HTTP/1.0 200\r\n', 'HTTP/9 200 OK\r\n', 'HTTP/1.1 2OO OK\r\n', '\0\r\n', ''],
];
const HOSTILE_TEXTS = [
	...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '..', '.', 'a/b', '%2e%2e', '', ' '],
	...['canceled', 'ECONNREFUSED', '<script>alert(1)</script>', "$&$'", '{{ $json.id }}', '={{ 1 }}'],
	...['\ud83d', '\u0000', '\r\nx-evil: 1', '\u202e', 'x'.repeat(600), '2026-01-01T00:00:00Z', '-1', 'null'],
];
const HEADERS: Array<[name: string, ...values: string[]]> = [
	['retry-after', '0', '-1', '1e9', '999999999999', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', ''],
	['ratelimit', 'limit=0, remaining=0, reset=60', '"a";r=0;t=99999', 'limit=NaN', ';;;===', '"'],
	['content-encoding', 'br', 'deflate', 'gzip', 'gzip, gzip', 'x-unknown'],
	['content-type', 'application/json', 'text/html', 'application/json; charset=utf-16', 'x'],
	['date', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday'],
	['connection', 'close', 'keep-alive', 'upgrade'],
	['location', 'http://127.0.0.1:1/', '/', '//evil.example', 'javascript:alert(1)', 'http://['],
];
const STATUSES = [200, 201, 202, 299, 300, 301, 400, 401, 403, 404, 407, 408, 409, 418, 422, 429, 500, 503];
const PIECES = [
	...[' ', '<', '<b>', '</span>', '%', '\\', '\n', '`', 'x ', '&lt;', 'QUFB', '/'],
	...['[', '{"data":', '{"error":', '{"a":['],
];

/** A choice between arbitraries by weight. */
const choose = <T>(...choices: Array<[weight: number, arbitrary: fc.Arbitrary<T>]>): fc.Arbitrary<T> =>
	fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const toJson = (value: unknown) => JSON.stringify(value);
/** As Go, Rails and .NET write it. */
const escapeMarkup = (json: string) => json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** Bodies with the API key in every form. Those that are `expected` have the contract's shape. */
function arbitraryBodies(keys: fc.Arbitrary<string>, isList: boolean) {
	const text = choose([3, fc.string()], [4, fc.constantFrom(...HOSTILE_TEXTS)], [4, keys]);
	const { value } = fc.letrec((tie) => ({
		value: choose<unknown>(
			[5, text],
			[3, fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null))],
			[1, fc.array(tie('value'), { maxLength: 3 })],
			// Keeps a key named __proto__.
			[1, fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(Object.fromEntries)],
		),
	}));
	const likely = (...values: string[]) => choose<unknown>([3, fc.constantFrom(...values)], [1, value]);
	const known = {
		id: likely('run_1', 'wf_1', 'run_2'),
		status: likely('completed', 'failed', 'running', 'queued'),
		created_at: likely('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
	};
	const resource = fc
		.tuple(fc.array(fc.tuple(text, value), { maxLength: 3 }), fc.record(known, { requiredKeys: ['id'] }))
		.map(([others, fields]) => ({ ...Object.fromEntries(others), ...fields }) as object);
	const resources = fc.array(resource, { maxLength: 4 });
	const hasMore = fc.oneof(fc.boolean(), value);
	const pagination = choose([3, fc.record({ next_cursor: value, has_more: hasMore })], [1, value]);
	const request_id = likely('req_1');
	const expected = fc.record({ data: isList ? resources : resource, pagination, request_id });
	const error = fc.oneof(value, fc.record({ message: text, request_id: text }));
	const anyData = fc.oneof(resource, resources, value);
	const envelope = fc.record({ data: anyData, pagination, error, request_id });
	const page = text.map((plain) => `<!doctype html><p>${plain}</p>`);
	const cut = fc.integer({ min: 1, max: 200 });
	const long = fc
		.tuple(fc.oneof(fc.constantFrom(...PIECES), keys), fc.constantFrom(100, 10_000))
		.map(([piece, times]) => piece.repeat(times));
	const longData = fc.record({ id: long, status: long, name: long });
	const longFields = fc.record({ data: longData, error: fc.record({ message: long }), request_id: long });
	const body = choose<string>(
		[11, envelope.map(toJson)],
		[1, value.map(toJson)],
		[1, fc.tuple(envelope, cut).map(([json, length]) => toJson(json).slice(0, -length))],
		[2, fc.oneof(text, page)],
		[2, long],
		[2, longFields.map(toJson).map(escapeMarkup)],
	);
	return { expected: expected.map(toJson), body };
}

/** Responses as bytes, complete or cut off at any byte. */
const arbitraryBytes = (body: fc.Arbitrary<string>, header: fc.Arbitrary<string[]>): fc.Arbitrary<string> =>
	fc
		.record({
			statusLine: fc.oneof(fc.constant(OK), fc.constantFrom(...STATUS_LINES)),
			headers: fc.array(fc.oneof(header, fc.constant(['__proto__', 'polluted'])), { maxLength: 4 }),
			framing: fc.constantFrom(...FRAMINGS),
			content: fc.oneof(body.map(Buffer.from), fc.uint8Array({ maxLength: 200 }).map(Buffer.from)),
			sentShare: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
		})
		.map(({ statusLine, headers, framing, content, sentShare }) => {
			const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
			const bytes = `${statusLine}${lines}${framing(content.toString('latin1')).join('\r\n')}`;
			return bytes.slice(0, Math.ceil(bytes.length * sentShare));
		});

/** Every kind of response. @param isList whether lists are expected: half of the responses are as expected */
export function arbitraryFault(key: string, isList: boolean): fc.Arbitrary<FaultRule> {
	const keyForms = Object.values(API_KEY_FORMS).map((write) => write(key));
	const keys = fc.constantFrom(...keyForms);
	const headerKeys = fc.constantFrom(...keyForms.filter((form) => /^[!-~]+$/.test(form)));
	const { expected, body } = arbitraryBodies(keys, isList);
	const header = fc.oneof(
		...HEADERS.map(([name, ...values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
		fc.tuple(fc.constantFrom('x-request-id', 'request-id', 'x-echo', 'retry-after', 'location'), headerKeys),
	);
	const status = fc.constantFrom(...STATUSES);
	const headers = fc.array(header, { maxLength: 4 }).map(Object.fromEntries);
	const bytes = arbitraryBytes(body, header);
	const delayMs = fc.constantFrom(0, 0, 0, 1);
	const location = fc
		.tuple(headerKeys, fc.constantFrom('https://evil.example/?key=', 'https://user:'))
		.map(([form, begin]) => `${begin}${form}@evil.example/`);
	const kind = <Kind extends FaultRule['kind']>(...kinds: Kind[]) => fc.constantFrom(...kinds);
	const anything = choose<FaultRule>(
		[8, fc.record({ kind: kind('status'), status, headers, body })],
		[5, fc.record({ kind: kind('notJson', 'notEnvelope'), body })],
		[6, fc.record({ kind: kind('raw'), bytes, delayMs, keepOpen: fc.boolean() })],
		[1, fc.record({ kind: kind('redirect'), location })],
		[1, fc.record({ kind: kind('cutBody', 'drop', 'reset', 'endless') })],
		[2, fc.constantFrom(...LATE_FAULTS)],
	);
	return fc.oneof(fc.record({ kind: kind('notEnvelope'), body: expected }), anything);
}
