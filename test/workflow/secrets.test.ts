import { inspect } from 'node:util';
import type { FaultRule } from '../../sandbox/types';
import { byTitle, find, inputFor, parametersFor } from './everyOperation';
import { startEnvironment, type Environment } from './support';

// Everything n8n could possibly log, with all that belongs to it. Read when the logger is first used.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_FORMAT = 'json';

let bench: Environment;
let key: string;
let written: string[] = [];

/** Keeps what is written to the console instead of showing it. Jest's console has streams of its own at times. */
function listen() {
	written = [];
	const keep = (text: unknown) => written.push(String(text)) > 0;
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream>;
	for (const stream of new Set([process.stdout, process.stderr, out, err])) {
		jest.spyOn(stream, 'write').mockImplementation(keep);
	}
}

beforeAll(async () => {
	listen();
	bench = await startEnvironment();
	key = bench.sandbox.keys.full;
});
beforeEach(listen);
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await bench.close());

/** Everything that can go wrong, with a service and others that quote the key wherever they can. */
const faults = (): FaultRule[] => [
	{ kind: 'drop' },
	{ kind: 'reset' },
	{ kind: 'cutBody' },
	{ kind: 'notJson', body: `<html>${key}</html>` },
	{ kind: 'notJson', body: key },
	{ kind: 'notEnvelope', body: { key, request_id: key } },
	{ kind: 'redirect', location: `https://evil.example/?key=${key}` },
	{ kind: 'redirect', location: `https://user:${key}@evil.example/` },
	...[400, 401, 403, 404, 409, 429, 500, 503].map((status): FaultRule => ({ kind: 'status', status })),
	{ kind: 'status', status: 401, body: { error: { message: `Bad key Bearer ${key}`, request_id: key } } },
	{ kind: 'status', status: 500, body: key, headers: { 'x-request-id': key } },
];

it.each(byTitle)(
	'%s leaves the API key in no item, no error and no log, whatever goes wrong',
	async (_, row) => {
		const ended: unknown[] = [];
		let failed = 0;
		for (const fault of [undefined, ...faults()]) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				bench.prepare(...(fault ? [fault] : []));
				const run = await bench.over(parametersFor(row), inputFor(bench, row, 1), { onError });
				if (run.data.resultData.error) failed++;
				ended.push(run);
			}
		}
		const log = written.join('');
		expect(failed).toBe(faults().length);
		expect(log).toContain('Start executing node');
		const everything = [JSON.stringify(ended), inspect(ended, { depth: null, showHidden: true }), log];
		expect(everything.map((text) => text.includes(key))).toEqual([false, false, false]);
	},
);

it.each([40, 47])(
	'A key quoted in a long text is taken out before the text is cut %i characters into it',
	async (left) => {
		bench.prepare({ kind: 'status', status: 500, body: `${'x'.repeat(300 - left)}${key} is not known` });
		const { description } = await bench.failure(parametersFor(find('Config › get')));
		expect(description).toContain('The service said: "xxx');
		expect(description).not.toContain(key.slice(0, 32));
	},
);
