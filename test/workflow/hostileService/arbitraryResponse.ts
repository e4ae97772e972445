import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FORMS } from './apiKeyForms';
import { head, type Answer, type Headers } from './service';

/** One response; small enough to be printed when it is the counterexample. */
export interface ResponsePlan {
	status: number;
	headers: Headers;
	body: BodyPlan;
	framing: 'exact' | 'longer' | 'shorter' | 'chunked' | 'badChunk' | 'untilClose';
	timing: 'immediate' | 'delayed' | 'trickled' | 'hangs';
	/** After which part of its bytes the response ends, and how. */
	cut?: { percent: number; by: 'end' | 'reset' | 'silence' };
}

type BodyPlan =
	| { text: string }
	| { json: unknown }
	| { bytes: number[] }
	| { unparsed: string; closed: string; times: number }
	| { filled: string; times: number; in: 'data' | 'message' | 'text' | 'status' | 'requestId' };

const CHUNKS = 8;
const TRICKLE_MS = 60;
const DELAY_MS = 150;

/** Sends what the plan says. */
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

/**
 * Every kind of response, with the API key in every form.
 *
 * @param key the API key
 * @param isList whether a list is expected: half of the responses are what is expected, with hostile contents
 */
export function arbitraryResponse(key: string, isList: boolean): fc.Arbitrary<ResponsePlan> {
	const keys = fc.constantFrom(...Object.values(FORMS).map((write) => write(key)));
	const hostile = fc.constantFrom(
		...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '..', '.', 'a/b', '%2e%2e', '', ' '],
		...[
			'canceled',
			'ECONNREFUSED',
			'<script>alert(1)</script>',
			"$&$'",
			'{{ $json.id }}',
			'={{ 1 }}',
			'\ud83d',
		],
		...[
			'\u0000',
			'\r\nx-evil: 1',
			'\u202e',
			'x'.repeat(600),
			'2026-01-01T00:00:00Z',
			'-1',
			'null',
			'completed',
		],
	);
	const text = fc.oneof(
		{ arbitrary: fc.string(), weight: 3 },
		{ arbitrary: hostile, weight: 4 },
		{ arbitrary: keys, weight: 3 },
		{ arbitrary: keys.map((form) => `The key ${form} is not known`), weight: 1 },
	);
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3 },
			{ arbitrary: text, weight: 5 },
			{ arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)), weight: 3 },
			{ arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
			// Keeps a key named __proto__.
			{
				arbitrary: fc
					.array(fc.tuple(text, tie('value')), { maxLength: 4 })
					.map((entries) => Object.fromEntries(entries)),
				weight: 1,
			},
		),
	}));
	const field = (likely: string[]) => fc.oneof({ arbitrary: fc.constantFrom(...likely), weight: 3 }, value);
	const resource = fc
		.tuple(
			fc.record(
				{
					id: field(['run_1', 'wf_1', 'run_2']),
					name: field(['A name']),
					status: field(['completed', 'failed', 'running', 'queued']),
					created_at: field(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']),
				},
				{ requiredKeys: ['id'] },
			),
			fc.array(fc.tuple(text, value), { maxLength: 3 }),
		)
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
	const refusal = fc.oneof(
		fc.record({ error: fc.oneof(value, fc.record({ message: text, request_id: text })) }),
		fc.record({ message: text, request_id: requestId }),
	);
	const body: fc.Arbitrary<BodyPlan> = fc.oneof(
		{ arbitrary: envelope.map((json): BodyPlan => ({ json })), weight: 8 },
		{ arbitrary: refusal.map((json): BodyPlan => ({ json })), weight: 3 },
		{ arbitrary: value.map((json): BodyPlan => ({ json })), weight: 1 },
		{
			arbitrary: fc
				.tuple(envelope, fc.nat(200))
				.map(([json, cut]): BodyPlan => ({ text: JSON.stringify(json).slice(0, -1 - cut) })),
			weight: 1,
		},
		{ arbitrary: text.map((words): BodyPlan => ({ text: words })), weight: 1 },
		{ arbitrary: text.map((words): BodyPlan => ({ text: `<!doctype html><p>${words}</p>` })), weight: 1 },
		{ arbitrary: fc.array(fc.nat(255), { maxLength: 200 }).map((bytes): BodyPlan => ({ bytes })), weight: 1 },
		{ arbitrary: fc.constant<BodyPlan>({ text: '' }), weight: 1 },
		{
			arbitrary: fc.record({
				unparsed: fc.constantFrom('[', '{"data":', '{"error":', '{"a":['),
				closed: fc.constantFrom(']', '}', ']}', ''),
				times: fc.constantFrom(10, 1000, 30_000),
			}),
			weight: 1,
		},
		{
			arbitrary: fc.record({
				filled: fc.oneof(
					fc.constantFrom(' ', '<', '<b>', '%', '\\', '\n', '`', 'x ', '&lt;', 'QUFB', '/'),
					keys,
				),
				times: fc.constantFrom(100, 3000),
				in: fc.constantFrom('data', 'message', 'text', 'status', 'requestId'),
			}),
			weight: 2,
		},
	);
	const header = fc.oneof(
		tuple('retry-after', [
			'0',
			'1',
			'-1',
			'1e9',
			'999999999999',
			'soon',
			'Thu, 01 Jan 1970 00:00:00 GMT',
			'',
		]),
		tuple('ratelimit', ['limit=0, remaining=0, reset=60', '"a";r=0;t=99999', 'limit=NaN', ';;;===', '"']),
		tuple('ratelimit-policy', ['1;w=1', '"a";q=0;w=0', '-1;w=-1']),
		tuple('x-ratelimit-remaining', ['0', '-5', 'NaN', '1e400']),
		tuple('content-encoding', ['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'x-unknown']),
		tuple('content-type', ['application/json', 'text/html', 'application/json; charset=utf-16', 'x', '']),
		tuple('date', ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday']),
		tuple('connection', ['close', 'keep-alive', 'upgrade']),
		tuple('upgrade', ['websocket', 'h2c']),
		tuple('set-cookie', ['a=b', '__proto__=1']),
		tuple('__proto__', ['polluted']),
		fc.tuple(
			fc.constantFrom('x-request-id', 'request-id', 'x-echo', 'retry-after'),
			keys.map((form) => form.replace(/[^\x20-\x7e]/g, '')),
		),
		fc.tuple(
			fc.constant('location'),
			fc.oneof(
				fc.constantFrom('http://127.0.0.1:1/', '/', '//evil.example', 'javascript:alert(1)', 'http://['),
				keys.map((form) => `https://evil.example/?key=${form}`),
			),
		),
	) as fc.Arbitrary<[string, string]>;
	const slow: Array<fc.WeightedArbitrary<ResponsePlan['timing']>> = [
		{ arbitrary: fc.constant('delayed'), weight: 1 },
		{ arbitrary: fc.constant('trickled'), weight: 1 },
		{ arbitrary: fc.constant('hangs'), weight: 1 },
	];
	const expected: fc.Arbitrary<ResponsePlan> = fc.record({
		status: fc.constantFrom(200, 201),
		headers: fc.constant([]),
		body: (isList ? page : single).map((json): BodyPlan => ({ json })),
		framing: fc.constantFrom('exact', 'chunked', 'untilClose'),
		timing: fc.constant('immediate'),
	});
	const anything: fc.Arbitrary<ResponsePlan> = fc.record(
		{
			status: fc.oneof(
				{ arbitrary: fc.constantFrom(200, 201, 202), weight: 6 },
				{ arbitrary: fc.constantFrom(400, 401, 403, 404, 409, 422), weight: 3 },
				{ arbitrary: fc.constantFrom(429, 500, 503), weight: 2 },
				{ arbitrary: fc.constantFrom(100, 101, 102, 103, 199), weight: 1 },
				{
					arbitrary: fc.constantFrom(204, 205, 299, 300, 301, 302, 304, 307, 399, 418, 599, 600, 999),
					weight: 2,
				},
			),
			headers: fc.array(header, { maxLength: 4 }),
			body,
			framing: fc.oneof(
				{ arbitrary: fc.constant<ResponsePlan['framing']>('exact'), weight: 8 },
				fc.constantFrom<ResponsePlan['framing']>('longer', 'shorter', 'chunked', 'badChunk', 'untilClose'),
			),
			timing: fc.oneof({ arbitrary: fc.constant<ResponsePlan['timing']>('immediate'), weight: 14 }, ...slow),
			cut: fc.option(
				fc.record({
					percent: fc.nat(100),
					by: fc.constantFrom<'end' | 'reset' | 'silence'>('end', 'reset', 'silence'),
				}),
				{ freq: 8, nil: undefined },
			),
		},
		{ requiredKeys: ['status', 'headers', 'body', 'framing', 'timing'] },
	);
	return fc.oneof(expected, anything);
}

const tuple = (name: string, values: string[]) => fc.tuple(fc.constant(name), fc.constantFrom(...values));
