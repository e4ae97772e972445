/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { MAX_BODY_BYTES, readResponse } from '../../../../nodes/Prospector/transport/request/readResponse';

const { signal } = new AbortController();
const read = async (body: unknown, statusCode = 200) =>
	await readResponse({ statusCode, headers: {}, body }, signal);
const stream = (...chunks: Array<string | Buffer>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const COMMAS = ','.repeat(30_000);

test.each<[string, unknown, Array<string | Buffer>]>([
	['an object in two chunks', { a: 1 }, ['{"a":', '1}']],
	['an object after a byte order mark', { a: 1 }, ['\ufeff{"a":1}']],
	['a field named __proto__', JSON.parse('{"__proto__":1}'), ['{"__proto__":1}']],
	['a character in two chunks', 'ä', [Buffer.from('"ä"').subarray(0, 2), Buffer.from('"ä"').subarray(2)]],
	['commas in a text after an escape split over two chunks', [`"${COMMAS}`], ['["\\', `"${COMMAS}"]`]],
	['an empty body', '', []],
	['incomplete JSON as text', '{"a":', ['{"a":']],
	['64 of 300 KB of text', '<p>'.repeat(100_000).slice(0, 65_536), ['<p>'.repeat(100_000)]],
	['64 KB of a web page with many commas', `<p>${','.repeat(65_533)}`, [`<p>${','.repeat(100_000)}`]],
])('readResponse reads %s', async (_, expected, chunks) => {
	expect(await read(stream(...chunks))).toEqual({ statusCode: 200, headers: {}, body: expected });
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('readResponse keeps only the first 64 KB of the body if the status is 404', async () => {
	const body = `[${' '.repeat(100_000)}`;
	expect(await read(stream(body), 404)).toMatchObject({ statusCode: 404, body: body.slice(0, 65_536) });
});

test('readResponse rejects a body as too large if the body has more than 32 MB', async () => {
	const ofSize = (size: number) => stream(`[${' '.repeat(size - 2)}]`);
	expect(await read(ofSize(MAX_BODY_BYTES))).toMatchObject({ body: [] });
	expect(await read(ofSize(MAX_BODY_BYTES + 1))).toEqual({ kind: 'tooLarge' });
});

test.each([
	['list items', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
	['objects', (count: number) => `[${'{},'.repeat((count - 2) / 2)}{}]`],
	['levels', (count: number) => '['.repeat(count) + ']'.repeat(count)],
])(
	'readResponse rejects a JSON body as too large if the body has too many %s for its size in bytes',
	async (_, json) => {
		expect(await read(stream(json(25_000)))).toHaveProperty('body');
		expect(await read(stream(json(30_000)))).toEqual({ kind: 'tooLarge' });
	},
);

test.each([',', '{', '\\",', '\\\\'])(
	'readResponse does not count the characters "%s" as JSON values if a JSON string contains these characters',
	async (piece) => {
		const json = `["${piece.repeat(100_000)}"]`;
		const chunks = [json.slice(0, 1001), json.slice(1001, 5000), json.slice(5000)];
		expect(await read(stream(...chunks))).toMatchObject({ body: JSON.parse(json) as unknown });
	},
);

test.each([{ a: 1 }, null, { on: 1 }])(
	'readResponse returns the body %j unchanged if the body is not a stream',
	async (body) => expect(await read(body)).toEqual({ statusCode: 200, headers: {}, body }),
);

test.each([
	['ECONNRESET', 'connectionLost', Object.assign(new Error('aborted'), { code: 'ECONNRESET' })],
	['EHOSTUNREACH', 'other', Object.assign(new Error('aborted'), { code: 'EHOSTUNREACH' })],
	['UNKNOWN', 'other', new Error('aborted')],
	['ERR_STREAM_PREMATURE_CLOSE', 'connectionLost', undefined],
])(
	'readResponse reports a truncated response with the code %s and the cause %s if the stream ends early',
	async (code, cause, error) => {
		const broken = new Readable({
			read() {
				this.destroy(error);
			},
		});
		expect(await read(broken)).toEqual({ kind: 'noResponse', evidence: 'unknown', cause, code });
	},
);

test.each([true, false])(
	'readResponse closes the connection when its signal is aborted (already before the call: %j)',
	async (isBefore) => {
		const controller = new AbortController();
		const silent = new Readable({ read() {} });
		if (isBefore) controller.abort();
		const result = readResponse({ statusCode: 200, headers: {}, body: silent }, controller.signal);
		controller.abort();
		expect(await result).toEqual({
			...{ kind: 'noResponse', evidence: 'unknown', cause: 'connectionLost' },
			code: 'ERR_STREAM_PREMATURE_CLOSE',
		});
		expect(silent.destroyed).toBe(true);
	},
);
