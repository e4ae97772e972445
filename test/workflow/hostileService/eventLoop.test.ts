import { byId } from '../../nodes';
import { leastBlock } from './blocking';
import { startHostileBench, type HostileBench } from './bench';
import { json, one, respond, type Answer } from './service';

const LIMIT_MS = 50;

let bench: HostileBench;
beforeAll(async () => {
	bench = await startHostileBench();
	// Whatever is loaded and compiled at first.
	for (let i = 0; i < 5; i++) {
		const target = await bench.target(json({ error: 'x' }, 500));
		await target.items(create('{}')).catch(() => {});
		await target.items(get()).catch(() => {});
		await target.testCredential();
	}
});
afterAll(async () => await bench.close());

const options = { maxWait: 0 };
const create = (jsonBody: string) => ({
	...{ resource: 'workflow', operation: 'create', specifyBody: 'json', jsonBody },
	options: { ...options, sendIdempotencyKey: false },
});
const get = (more: object = {}) => ({
	...{ resource: 'run', operation: 'get', runId: byId('run_1') },
	options: { ...options, ...more },
});

/** Lengths of the input: an implementation that is not linear is noticed before it takes hours. */
const LENGTHS = [250, 500, 1000, 2500, 10_000, 100_000];

/** Measures growing inputs, and stops at the first that takes too long. */
async function expectLinear(work: (length: number) => Promise<() => Promise<unknown>>): Promise<void> {
	for (const length of LENGTHS) {
		const blockedMs = await leastBlock(await work(length), LIMIT_MS);
		const isShort = blockedMs <= LIMIT_MS;
		expect({ length, isShort, ...(isShort ? {} : { blockedMs }) }).toEqual({ length, isShort: true });
	}
}

const FENCE = '```';
const bodies: Array<[string, (length: number) => string]> = [
	['three backticks and spaces', (n) => FENCE + ' '.repeat(n)],
	['three backticks and line breaks', (n) => FENCE + '\n'.repeat(n)],
	['three backticks, letters and spaces', (n) => `${FENCE}json${' '.repeat(n)}{}${' '.repeat(n)}x`],
	['spaces around three backticks', (n) => `${' '.repeat(n)}${FENCE}${' '.repeat(n)}`],
	['many fences', (n) => `${FENCE} `.repeat(n / 4)],
	['many backticks', (n) => '`'.repeat(n)],
	['three backticks and word characters', (n) => `${FENCE}${'a'.repeat(n)}`],
	['three backticks, words and spaces', (n) => `${FENCE}${'a '.repeat(n / 2)}`],
	['nested brackets', (n) => '['.repeat(n)],
	['a fence in front of nested objects', (n) => `${FENCE}json\n${'{"a":'.repeat(n / 5)}`],
];

describe('A JSON body of', () => {
	it.each(bodies)('%s does not block the event loop', async (_, build) => {
		const target = await bench.target(one({ id: 'wf_1' }));
		await expectLinear(async (length) => {
			const parameters = create(build(length));
			return async () => await target.items(parameters);
		});
	});
});

const parameters: Array<[string, (n: number) => object]> = [
	['Statuses with spaces', (n) => ({ finishedStatuses: `a${' '.repeat(n)}b, completed` })],
	['Statuses with commas', (n) => ({ finishedStatuses: `${','.repeat(n)}completed` })],
	['Statuses with commas and spaces', (n) => ({ finishedStatuses: `${', '.repeat(n / 2)}completed` })],
	['Statuses with underscores', (n) => ({ finishedStatuses: `${'_- '.repeat(n / 3)}x, completed` })],
	['Output Fields with spaces', (n) => ({ outputFields: `a${' '.repeat(n)}b` })],
	['Output Fields with commas', (n) => ({ outputFields: `${', '.repeat(n / 2)}b` })],
];

describe('The option', () => {
	it.each(parameters)('%s does not block the event loop', async (_, build) => {
		const target = await bench.target(one({ id: 'run_1', status: 'completed' }));
		await expectLinear(async (length) => {
			const all = { ...get({ maxWait: 1, ...build(length) }), waitForCompletion: true };
			return async () => await target.items(all);
		});
	});
});

const addresses: Array<[string, (n: number) => string]> = [
	['slashes at the end', (n) => '/'.repeat(n)],
	['slashes and a letter at the end', (n) => `${'/'.repeat(n)}x`],
	['the path of the API again and again', (n) => '/api/public/v1'.repeat(n / 14)],
	['spaces', (n) => `${' '.repeat(n)}x`],
	['spaces and slashes', (n) => `${'/ '.repeat(n / 2)}x`],
];

describe('A Base URL with', () => {
	it.each(addresses)('%s does not block the event loop', async (_, build) => {
		await expectLinear(async (length) => {
			const answer = one({ id: 'run_1' });
			const place = bench.service.place(answer);
			const baseUrl = place.baseUrl + build(length);
			const target = await bench.target(answer, undefined, { ...place, baseUrl });
			return async () => {
				await target.items(get()).catch(() => {});
				await target.testCredential();
			};
		});
	});
});

/** Text that hostile services send where a message is expected. */
const texts: Array<[string, (n: number) => string]> = [
	['opening angle brackets', (n) => '<'.repeat(n)],
	['unfinished tags', (n) => '<a '.repeat(n / 3)],
	['tags', (n) => '<b>'.repeat(n / 3)],
	['unfinished comments', (n) => '<!--'.repeat(n / 4)],
	['scripts that do not end', (n) => '<script>'.repeat(n / 8)],
	['ampersands', (n) => '&'.repeat(n)],
	['entities', (n) => '&lt;'.repeat(n / 4)],
	['percent signs', (n) => '%25'.repeat(n / 3)],
	['backslashes', (n) => '\\'.repeat(n)],
	['spaces', (n) => `${' '.repeat(n)}x`],
	['line breaks', (n) => `x${'\r\n'.repeat(n / 2)}x`],
	['control characters', (n) => 'a\u0001'.repeat(n / 2)],
	['base64', (n) => 'QUFB'.repeat(n / 4)],
	['sentences', (n) => 'Too many. '.repeat(n / 10)],
	['halves of characters', (n) => '\\ud83d'.repeat(n / 6)],
];

const places: Array<[string, (text: string) => Answer]> = [
	['an error message', (text) => json({ error: { message: text } }, 500)],
	['a plain body', (text) => respond(500, text, [['content-type', 'text/plain']])],
	['a request id', (text) => json({ data: { id: 'run_1' }, request_id: text })],
];

describe.each(places)('A response with %s of', (_, answerWith) => {
	it.each(texts)('100 kB of %s does not block the event loop', async (_title, build) => {
		await expectLinear(async (length) => {
			const target = await bench.target(answerWith(build(length)));
			return async () => {
				await target.items(get()).catch(() => {});
				await target.testCredential();
			};
		});
	});
});

/** Node.js accepts 16 kB of headers. */
const MAX_HEADER = 12_000;
const headers: Array<[string, string, (n: number) => string]> = [
	['retry-after', 'spaces', (n) => `1${' '.repeat(n)}1`],
	['retry-after', 'digits', (n) => '1'.repeat(n)],
	['retry-after', 'commas', (n) => `${'1, '.repeat(n / 3)}x`],
	['ratelimit', 'spaces', (n) => `limit${' '.repeat(n)}=1`],
	['ratelimit', 'parameters', (n) => 'limit=1;'.repeat(n / 8)],
	['ratelimit', 'quotation marks', (n) => `"a";r=1, ${'"'.repeat(n)}`],
	['ratelimit-policy', 'parameters', (n) => `${'1;w=1,'.repeat(n / 6)}x`],
	['ratelimit-reset', 'digits and spaces', (n) => `1${' '.repeat(n)}x`],
	['x-ratelimit-remaining', 'digits', (n) => '0'.repeat(n)],
	['location', 'slashes', (n) => `http://a${'/'.repeat(n)}`],
	['x-request-id', 'letters', (n) => 'a'.repeat(n)],
	['date', 'spaces', (n) => `Mon,${' '.repeat(n)}x`],
];

describe('A header', () => {
	it.each(headers)('%s with %s does not block the event loop', async (name, _, build) => {
		await expectLinear(async (length) => {
			const value = build(Math.min(length, MAX_HEADER));
			const target = await bench.target(
				respond(name === 'location' ? 302 : 429, '{}', [
					[name, value],
					['retry-after', '0'],
				]),
			);
			return async () => await target.items(get());
		});
	});
});
