import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FORMS } from './apiKeyForms';
import { head, type Answer, type Headers } from './service';

/** One response, small enough to be printed as a counterexample. */
export interface ResponsePlan {
	status: number;
	headers: Headers;
	body: BodyPlan;
	framing: 'exact' | 'longer' | 'shorter' | 'chunked' | 'badChunk' | 'untilClose';
	timing: 'immediate' | 'delayed' | 'trickled' | 'hangs';
	/** The part of its bytes after which the response ends, and how. */
	cut?: { percent: number; by: 'end' | 'reset' | 'silence' };
}

type BodyPlan =
	| { text: string }
	| { json: unknown }
	| { bytes: number[] }
	| { unparsed: string; closed: string; times: number }
	| { filled: string; times: number; in: 'data' | 'message' | 'text' | 'status' | 'requestId' };

const CHUNKS = 8;
const TRICKLE_MS = 10;
const DELAY_MS = 20;

/** Sends the planned response. */
export function answerOf(plan: ResponsePlan): Answer {
	const bytes = bytesOf(plan);
	const { timing, cut } = plan;
	const whole = cut ? bytes.subarray(0, Math.floor((bytes.length * cut.percent) / 100)) : bytes;
	return async (socket) => {
		if (timing === 'hangs') {
			socket.write(whole.subarray(0, Math.floor(whole.length / 2)));
			return;
		}
		if (timing === 'delayed') await pause(DELAY_MS);
		if (timing === 'trickled') {
			const size = Math.ceil(whole.length / CHUNKS) || 1;
			for (let at = 0; at < whole.length && !socket.destroyed; at += size) {
				socket.write(whole.subarray(at, at + size));
				await pause(TRICKLE_MS);
			}
		} else socket.write(whole);
		if (cut?.by === 'silence') return;
		if (cut?.by === 'reset') return void setImmediate(() => socket.resetAndDestroy());
		socket.end();
	};
}

function bytesOf({ status, headers, body, framing }: ResponsePlan): Buffer {
	const zipped = headers.some(([name, value]) => name === 'content-encoding' && value === 'gzip');
	const plain = bodyOf(body);
	// A third of the bodies that claim to be zipped are not.
	const content = zipped && plain.length % 3 !== 0 ? gzipSync(plain) : plain;
	const framed = (length?: number, more: Headers = []) =>
		Buffer.concat([
			Buffer.from(
				head(status, [
					...headers,
					...(length === undefined ? [] : [['content-length', String(length)] as [string, string]]),
					...more,
				]),
				'latin1',
			),
			content,
		]);
	switch (framing) {
		case 'exact':
			return framed(content.length);
		case 'longer':
			return framed(content.length + 10);
		case 'shorter':
			return framed(Math.max(content.length - 10, 0));
		case 'untilClose':
			return framed();
		case 'badChunk':
		case 'chunked': {
			const size = framing === 'chunked' ? content.length.toString(16) : 'zz';
			const begin = head(status, [...headers, ['transfer-encoding', 'chunked']]);
			return Buffer.concat([
				Buffer.from(begin, 'latin1'),
				...(content.length > 0 ? [Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n')] : []),
				Buffer.from('0\r\n\r\n'),
			]);
		}
	}
}

function bodyOf(body: BodyPlan): Buffer {
	if ('text' in body) return Buffer.from(body.text);
	if ('bytes' in body) return Buffer.from(body.bytes);
	if ('unparsed' in body) {
		return Buffer.from(`${body.unparsed.repeat(body.times)}1${body.closed.repeat(body.times)}`);
	}
	if ('json' in body) return Buffer.from(JSON.stringify(body.json) ?? '');
	const text = body.filled.repeat(body.times);
	switch (body.in) {
		case 'text':
			return Buffer.from(text);
		case 'message':
			return Buffer.from(JSON.stringify({ error: { message: text } }));
		case 'requestId':
			return Buffer.from(JSON.stringify({ data: { id: 'run_1' }, request_id: text }));
		default:
			return Buffer.from(JSON.stringify({ data: { id: 'run_1', [body.in]: text }, request_id: 'req_1' }));
	}
}

/** A choice between arbitraries by weight. */
const choose = <T>(...choices: Array<[weight: number, arbitrary: fc.Arbitrary<T>]>): fc.Arbitrary<T> =>
	fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const header = (name: string, ...values: string[]): fc.Arbitrary<[string, string]> =>
	fc.tuple(fc.constant(name), fc.constantFrom(...values));

const HOSTILE_TEXTS = [
	...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '..', '.', 'a/b', '%2e%2e', '', ' '],
	...['canceled', 'ECONNREFUSED', '<script>alert(1)</script>', "$&$'", '{{ $json.id }}', '={{ 1 }}'],
	...['\ud83d', '\u0000', '\r\nx-evil: 1', '\u202e', 'x'.repeat(600), '2026-01-01T00:00:00Z', '-1', 'null'],
	'completed',
];
const LOCATIONS = ['http://127.0.0.1:1/', '/', '//evil.example', 'javascript:alert(1)', 'http://['];
const RARE_STATUSES = [
	...[100, 101, 102, 103, 199, 204, 205, 299, 300, 301, 302, 304, 307, 399, 418, 599, 600, 999],
];

/**
 * Every kind of response, with the API key in every form.
 *
 * @param isList whether a list is expected: half of the responses are as expected, with hostile contents
 */
export function arbitraryResponse(key: string, isList: boolean): fc.Arbitrary<ResponsePlan> {
	const keys = fc.constantFrom(...Object.values(FORMS).map((write) => write(key)));
	const text = choose(
		[3, fc.string()],
		[4, fc.constantFrom(...HOSTILE_TEXTS)],
		[3, keys],
		[1, keys.map((form) => `The key ${form} is not known`)],
	);
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3 },
			{ arbitrary: text, weight: 5 },
			{ arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)), weight: 3 },
			{ arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
			// Keeps a key named __proto__.
			{
				arbitrary: fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
				weight: 1,
			},
		),
	}));
	const field = (...likely: string[]) => choose<unknown>([3, fc.constantFrom(...likely)], [1, value]);
	const fields = fc.record(
		{
			id: field('run_1', 'wf_1', 'run_2'),
			name: field('A name'),
			status: field('completed', 'failed', 'running', 'queued'),
			created_at: field('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
		},
		{ requiredKeys: ['id'] },
	);
	const resource = fc
		.tuple(fields, fc.array(fc.tuple(text, value), { maxLength: 3 }))
		.map(([known, more]) => ({ ...Object.fromEntries(more), ...known }) as object);
	const pagination = fc.record({
		next_cursor: fc.oneof(text, fc.constant(null), value),
		has_more: fc.oneof(fc.boolean(), value),
	});
	const requestId = fc.oneof({ arbitrary: fc.constant('req_1'), weight: 4 }, text, value);
	const single = fc.record({ data: resource, request_id: requestId });
	const page = fc.record({ data: fc.array(resource, { maxLength: 4 }), pagination, request_id: requestId });
	const envelope = fc.oneof(
		single,
		page,
		fc.record({
			data: fc.oneof(resource, fc.array(value, { maxLength: 3 }), value),
			pagination: fc.oneof(pagination, value),
			request_id: requestId,
		}),
	);
	const rejection = fc.oneof(
		fc.record({ error: fc.oneof(value, fc.record({ message: text, request_id: text })) }),
		fc.record({ message: text, request_id: requestId }),
	);
	const truncated = fc
		.tuple(envelope, fc.nat(200))
		.map(([json, cut]) => ({ text: JSON.stringify(json).slice(0, -1 - cut) }));
	const body = choose<BodyPlan>(
		[8, envelope.map((json) => ({ json }))],
		[3, rejection.map((json) => ({ json }))],
		[1, value.map((json) => ({ json }))],
		[1, truncated],
		[1, text.map((plain) => ({ text: plain }))],
		[1, text.map((plain) => ({ text: `<!doctype html><p>${plain}</p>` }))],
		[1, fc.array(fc.nat(255), { maxLength: 200 }).map((bytes) => ({ bytes }))],
		[1, fc.constant({ text: '' })],
		[
			1,
			fc.record({
				unparsed: fc.constantFrom('[', '{"data":', '{"error":', '{"a":['),
				closed: fc.constantFrom(']', '}', ']}', ''),
				times: fc.constantFrom(10, 1000, 30_000),
			}),
		],
		[
			2,
			fc.record({
				filled: fc.oneof(
					fc.constantFrom(' ', '<', '<b>', '%', '\\', '\n', '`', 'x ', '&lt;', 'QUFB', '/'),
					keys,
				),
				times: fc.constantFrom(100, 3000),
				in: fc.constantFrom('data', 'message', 'text', 'status', 'requestId'),
			}),
		],
	);
	const headers = fc.oneof(
		header('retry-after', '0', '1', '-1', '1e9', '999999999999', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', ''),
		header('ratelimit', 'limit=0, remaining=0, reset=60', '"a";r=0;t=99999', 'limit=NaN', ';;;===', '"'),
		header('ratelimit-policy', '1;w=1', '"a";q=0;w=0', '-1;w=-1'),
		header('x-ratelimit-remaining', '0', '-5', 'NaN', '1e400'),
		header('content-encoding', 'gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'x-unknown'),
		header('content-type', 'application/json', 'text/html', 'application/json; charset=utf-16', 'x', ''),
		header('date', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday'),
		header('connection', 'close', 'keep-alive', 'upgrade'),
		header('upgrade', 'websocket', 'h2c'),
		header('set-cookie', 'a=b', '__proto__=1'),
		header('__proto__', 'polluted'),
		fc.tuple(
			fc.constantFrom('x-request-id', 'request-id', 'x-echo', 'retry-after'),
			keys.map((form) => form.replace(/[^\x20-\x7e]/g, '')),
		),
		fc.tuple(
			fc.constant('location'),
			fc.oneof(
				fc.constantFrom(...LOCATIONS),
				keys.map((form) => `https://evil.example/?key=${form}`),
			),
		),
	) as fc.Arbitrary<[string, string]>;
	const expected: fc.Arbitrary<ResponsePlan> = fc.record({
		status: fc.constantFrom(200, 201),
		headers: fc.constant([]),
		body: (isList ? page : single).map((json): BodyPlan => ({ json })),
		framing: fc.constantFrom('exact', 'chunked', 'untilClose'),
		timing: fc.constant('immediate'),
	});
	const cut = fc.record({
		percent: fc.nat(100),
		by: fc.constantFrom<'end' | 'reset' | 'silence'>('end', 'reset', 'silence'),
	});
	const anything: fc.Arbitrary<ResponsePlan> = fc.record(
		{
			status: choose(
				[6, fc.constantFrom(200, 201, 202)],
				[3, fc.constantFrom(400, 401, 403, 404, 409, 422)],
				[2, fc.constantFrom(429, 500, 503)],
				[3, fc.constantFrom(...RARE_STATUSES)],
			),
			headers: fc.array(headers, { maxLength: 4 }),
			body,
			framing: choose<ResponsePlan['framing']>(
				[8, fc.constant('exact')],
				[1, fc.constantFrom('longer', 'shorter', 'chunked', 'badChunk', 'untilClose')],
			),
			timing: choose<ResponsePlan['timing']>(
				[14, fc.constant('immediate')],
				[3, fc.constantFrom('delayed', 'trickled', 'hangs')],
			),
			cut: fc.option(cut, { freq: 8, nil: undefined }),
		},
		{ requiredKeys: ['status', 'headers', 'body', 'framing', 'timing'] },
	);
	return fc.oneof(expected, anything);
}
