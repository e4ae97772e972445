import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { maxJsonValues } from '../../../../nodes/Prospector/jsonValues';
import { MAX_BODY_BYTES, readResponse } from '../../../../nodes/Prospector/transport/request/readResponse';

const { signal } = new AbortController();
const read = async (body: unknown, headers: Record<string, unknown> = {}) =>
	await readResponse({ statusCode: 200, headers, body }, signal);
const stream = (...chunks: Array<string | Buffer>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe('readResponse', () => {
	test.each([
		['an object', ['{"a":', '1}'], { a: 1 }],
		['an object after a byte order mark', ['\ufeff{"a":1}'], { a: 1 }],
		['a list', ['[1]'], [1]],
		['a field named __proto__', ['{"__proto__":1}'], JSON.parse('{"__proto__":1}')],
		['a character in two chunks', [Buffer.from('"ä"').subarray(0, 2), Buffer.from('"ä"').subarray(2)], 'ä'],
		['nothing', [], ''],
		['text', ['no JSON'], 'no JSON'],
		['JSON that breaks off', ['{"a":'], '{"a":'],
	])('returns %s', async (_, chunks, expected) => {
		expect(await read(stream(...chunks))).toEqual({ statusCode: 200, headers: {}, body: expected });
	});

	test('keeps only the first 64 KB of a text', async () => {
		expect(await read(stream('<p>'.repeat(100_000)))).toMatchObject({
			body: '<p>'.repeat(100_000).slice(0, 65_536),
		});
	});

	test('reads a response of exactly 32 MB', async () => {
		const ofSize = (size: number) => stream(`[${' '.repeat(size - 2)}]`);
		expect(await read(ofSize(MAX_BODY_BYTES))).toMatchObject({ body: [] });
		expect(await read(ofSize(MAX_BODY_BYTES + 1))).toEqual({ kind: 'tooLarge' });
	});

	test.each([
		['a list', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
		['objects', (count: number) => `[${'{},'.repeat((count - 2) / 2)}{}]`],
		['levels', (count: number) => '['.repeat(count) + ']'.repeat(count)],
	])('counts the values of %s', async (_, json) => {
		expect(await read(stream(json(maxJsonValues(0))))).toHaveProperty('body');
		expect(await read(stream(json(1.2 * maxJsonValues(0))))).toEqual({ kind: 'tooLarge' });
	});

	test('reads 100,000 resources of one response', async () => {
		const createdAt = '2026-01-01T00:00:00.000Z';
		const resource = { id: 'run_1', object: 'prospector_run', created_at: createdAt, updated_at: createdAt };
		const data = new Array<object>(100_000).fill(resource);
		expect(await read(stream(JSON.stringify(data)))).toMatchObject({ body: data });
	});

	test.each([',', '[', '{', '\\",', '\\\\'])('does not count %s in a text', async (piece) => {
		const json = `["${piece.repeat(100_000)}"]`;
		const chunks = [json.slice(0, 1001), json.slice(1001, 5000), json.slice(5000)];
		expect(await read(stream(...chunks))).toMatchObject({ body: JSON.parse(json) as unknown });
	});

	test.each([200, 404])(
		'returns the beginning of a web page with status %i and many commas',
		async (statusCode) => {
			const body = stream(`<p>${','.repeat(100_000)}`);
			expect(await readResponse({ statusCode, headers: {}, body }, signal)).toMatchObject({
				statusCode,
				body: `<p>${','.repeat(65_533)}`,
			});
		},
	);

	test.each([{ a: 1 }, 'text', null, undefined, { on: 1 }, { destroy: 1 }])(
		'returns a body that is no stream: %j',
		async (body) => expect(await read(body)).toEqual({ statusCode: 200, headers: {}, body }),
	);

	test('stops at 32 MB and closes the connection', async () => {
		const chunk = Buffer.alloc(1024 * 1024, 32);
		let sent = 0;
		const endless = Readable.from(
			(function* () {
				yield Buffer.from('[');
				for (; sent < 200; sent++) yield chunk;
			})(),
		);
		expect(await read(endless)).toEqual({ kind: 'tooLarge' });
		expect(endless.destroyed).toBe(true);
		expect(sent * chunk.length).toBeLessThan(MAX_BODY_BYTES + 3 * chunk.length);
	});

	test.each([
		['with an error', Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), 'ECONNRESET'],
		['with an error without a code', new Error('aborted'), 'UNKNOWN'],
		['without an error', undefined, 'ERR_STREAM_PREMATURE_CLOSE'],
	])('says so if the connection ends too early %s', async (_, error, code) => {
		const broken = new Readable({
			read() {
				this.destroy(error);
			},
		});
		expect(await read(broken)).toEqual({ kind: 'truncatedResponse', code });
	});

	test.each([
		['when the signal is aborted', new AbortController()],
		['if the signal was aborted before', abortedController()],
	])('closes the connection %s', async (_, controller) => {
		const silent = new Readable({ read() {} });
		const response = { statusCode: 200, headers: {}, body: silent };
		const result = readResponse(response, controller.signal);
		controller.abort();
		expect(await result).toEqual({ kind: 'truncatedResponse', code: 'ERR_STREAM_PREMATURE_CLOSE' });
		expect(silent.destroyed).toBe(true);
	});

	test('leaves no listener on the signal', async () => {
		await read(stream('{}'));
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

function abortedController() {
	const controller = new AbortController();
	controller.abort();
	return controller;
}
