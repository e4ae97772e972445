import { byId } from '../../nodes';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { outcomeOf, startHostileBench, type HostileBench, type Target } from './bench';
import { head, type Answer } from './service';

const MB = 1024 * 1024;
/** Bytes of a response that are read. */
const LIMIT = 64 * MB;
/** Also holds what is on its way through the operating system. */
const MAX_SENT = LIMIT + 24 * MB;
const MAX_GROWTH = 150 * MB;
/** Where the service gives up, so that a test that must fail does end. */
const ENOUGH = 400 * MB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let bench: HostileBench;
beforeAll(async () => {
	bench = await startHostileBench();
	const target = await bench.target((socket) => socket.destroy());
	await outcomeOf(async () => await target.items(get), 5000);
	await target.testCredential();
});
afterAll(async () => await bench.close());

const options = { requestTimeout: 20, maxWait: 0 };
const get = { resource: 'run', operation: 'get', runId: byId('run_1'), options };

const chunk = Buffer.alloc(MB, 'x');
let sent = 0;

/** Sends letters until the client closes the connection. */
const endless =
	(begin: string): Answer =>
	(socket) => {
		sent = 0;
		socket.write(begin);
		const write = () => {
			while (!socket.destroyed && sent < ENOUGH) {
				sent += chunk.length;
				if (!socket.write(chunk)) return void socket.once('drain', write);
			}
			if (!socket.destroyed) socket.end();
		};
		write();
	};

const zipped = gzipSync(Buffer.alloc(200 * MB, ' '));

const bodies: Array<[string, Answer]> = [
	['a body without an end', endless(`${head(200, [['content-type', 'application/json']])}{"data":"`)],
	['an error without an end', endless(head(500, [['content-type', 'text/plain']]))],
	[
		'a body whose announced length is above the limit',
		endless(head(200, [['content-length', String(300 * MB)]])),
	],
	[
		'a small body that unzips to 200 MB',
		(socket) => {
			sent = 0;
			socket.write(
				head(200, [
					['content-type', 'application/json'],
					['content-encoding', 'gzip'],
					['content-length', String(zipped.length)],
				]),
			);
			socket.end(zipped);
		},
	],
];

const subjects: Array<[string, (target: Target) => Promise<unknown>]> = [
	['Run › Get', async (target) => await target.items(get)],
	['the picker', async (target) => await target.ask('listSearch', 'searchWorkflows')],
	["the trigger's test", async (target) => await target.trigger(trigger).test()],
	[
		'the credential test',
		async (target) => {
			const { status, message } = await target.testCredential();
			expect(status).toBe('Error');
			throw Object.assign(new Error(message), { description: '' });
		},
	],
];
const trigger = { event: 'newRun', watch: 'all', options: { requestTimeout: 9 } };

/** Runs something and returns by how much the memory of this process grew at most, in bytes. */
async function memoryGrowth(work: () => Promise<unknown>): Promise<number> {
	collectGarbage();
	const used = () => {
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const before = used();
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, used())), 5);
	await work();
	clearInterval(timer);
	return Math.max(peak, used()) - before;
}

describe.each(subjects)('When the service sends too much, %s', (_, work) => {
	it.each(bodies)(
		'ends with a message and closes the connection: %s',
		async (_title, answer) => {
			const target = await bench.target(answer);
			let words = '';
			let hasEnded = false;
			const growth = await memoryGrowth(async () => {
				({ words, hasEnded } = await outcomeOf(async () => await work(target), 25_000));
			});
			expect(hasEnded).toBe(true);
			expect(words).toMatch(/64 MB|too (large|long|big)|larger than|more than \d+ MB/i);
			expect(target.requests).toHaveLength(1);
			expect(sent).toBeLessThanOrEqual(MAX_SENT);
			expect(Math.round(growth / MB)).toBeLessThan(MAX_GROWTH / MB);
			expect(await target.isClosed()).toBe(true);
		},
		40_000,
	);
});
