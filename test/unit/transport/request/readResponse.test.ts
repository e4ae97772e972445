/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { HttpResponse } from '../../../../nodes/Prospector/api/response';
import { readResponse } from '../../../../nodes/Prospector/transport/request/readResponse';
import { TURNS } from '../../helpers/support';

const { signal } = new AbortController();
const MAX_BYTES = 200_000;
const read = async (body: unknown, response = {}, options = {}) =>
	await readResponse(
		{ statusCode: 200, headers: {}, body, ...response },
		{ signal, maxBytes: MAX_BYTES, turns: TURNS, ...options },
	);
const stream = (...chunks: Array<string | Buffer>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const COMMAS = ','.repeat(30_000);

test.each<[string, unknown, Array<string | Buffer>]>([
	['an object in two chunks', { a: 1 }, ['{"a":', '1}']],
	['an object after a byte order mark', { a: 1 }, ['\ufeff{"a":1}']],
	['a field named __proto__', JSON.parse('{"__proto__":1}'), ['{"__proto__":1}']],
	['a character in two chunks', 'ä', [Buffer.from('"ä"').subarray(0, 2), Buffer.from('"ä"').subarray(2)]],
	['a text with commas whose escape is split between two chunks', [`"${COMMAS}`], ['["\\', `"${COMMAS}"]`]],
	['an empty body', '', []],
	['incomplete JSON as text', '{"a":', ['{"a":']],
	['only 64 KB of a text of 300 KB', '<p>'.repeat(100_000).slice(0, 65_536), ['<p>'.repeat(100_000)]],
	['only 64 KB of a web page with many commas', `<p>${','.repeat(65_533)}`, [`<p>${','.repeat(100_000)}`]],
])('readResponse reads %s', async (_, expected, chunks) => {
	const { statusCode, headers, body } = (await read(stream(...chunks))) as HttpResponse;
	expect({ statusCode, headers, body }).toEqual({ statusCode: 200, headers: {}, body: expected });
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
	['64 KB of', `[${' '.repeat(100_000)}`],
	['1,001 levels of', '['.repeat(1001) + ']'.repeat(1001)],
])('readResponse keeps the first %s the body as text if the status is 404', async (_, body) => {
	expect(await read(stream(body), { statusCode: 404 })).toMatchObject({
		statusCode: 404,
		body: body.slice(0, 65_536),
	});
});

test('readResponse rejects JSON as too large and closes the connection if it has more bytes than the limit', async () => {
	const ofSize = (size: number) => stream(`[${' '.repeat(size - 2)}]`);
	for (const statusCode of [200, 201])
		expect(await read(ofSize(MAX_BYTES), { statusCode })).toMatchObject({ body: [] });
	const endless = new Readable({ read() {} });
	endless.push(`[${' '.repeat(MAX_BYTES)}`);
	expect(await read(endless)).toEqual({ kind: 'tooLarge', limit: MAX_BYTES });
	expect(endless.destroyed).toBe(true);
});

test.each([
	['iso-8859-1', Buffer.from('"Müller"', 'latin1')],
	['"windows-1252"', Buffer.from('"Müller"', 'latin1')],
	['utf-16le', Buffer.from('"Müller"', 'utf16le')],
	['UTF-8', Buffer.from('"Müller"')],
	['unknown', Buffer.from('"Müller"')],
])('readResponse decodes a body with the declared charset %s', async (charset, bytes) => {
	const headers = { 'content-type': `application/json; charset=${charset}` };
	const body = stream(bytes.subarray(0, 3), bytes.subarray(3));
	expect(await read(body, { headers })).toMatchObject({ body: 'Müller' });
});

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
		const broken = new Readable({ read: () => broken.destroy(error) });
		expect(await read(broken)).toEqual({ kind: 'noResponse', evidence: 'unknown', cause, code });
	},
);

test.each([true, false])(
	'readResponse closes the connection when its signal is aborted (already aborted before the call: %j)',
	async (isBefore) => {
		const controller = new AbortController();
		const silent = new Readable({ read() {} });
		if (isBefore) controller.abort();
		const result = read(silent, {}, { signal: controller.signal });
		controller.abort();
		expect(await result).toEqual({
			...{ kind: 'noResponse', evidence: 'unknown', cause: 'connectionLost' },
			code: 'ERR_STREAM_PREMATURE_CLOSE',
		});
		expect(silent.destroyed).toBe(true);
	},
);
