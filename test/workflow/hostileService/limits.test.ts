/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { NodeApiError } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/types';
import { byId } from '../../nodes';
import { areRequestsClosed } from './connections';
import { startTarget, thrownBy, type Target } from './target';

const MB = 1024 * 1024;
const getRun = { resource: 'run', operation: 'get', runId: byId('run_1'), options: { retryFor: 0 } };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs a task and returns the maximum growth of this process's memory in bytes. */
async function measureGrowth(task: () => Promise<unknown>): Promise<number> {
	collectGarbage();
	const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
	const before = used();
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, used())), 5);
	await task();
	clearInterval(timer);
	return peak - before;
}

const zipped = gzipSync(Buffer.alloc(100 * MB, ' '), { level: 1 }).toString('latin1');
const gzip = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n${zipped}`;
const endless: FaultRule = { kind: 'endless' };
const read = async (target: Target) => await target.getItems(getRun);
const picker = async (target: Target) => {
	const thrown = await thrownBy(target.callEditor('listSearch', 'searchWorkflows'));
	const { message, description } = thrown as NodeApiError;
	return `${message} ${description}`;
};
const poll = async (target: Target) => await target.trigger({ event: 'newRun', watch: 'all' }).test();

test.each<[string, (target: Target) => Promise<unknown>, FaultRule, RegExp]>([
	['reading a run', read, endless, /larger than 1 MB/],
	['reading a run from zipped text', read, { kind: 'raw', bytes: gzip }, /plain text/],
	['the credential test', ({ testCredential }) => testCredential(), endless, /larger than 1 MB/],
	['the picker', picker, endless, /larger than 1 MB.*Enter the ID/],
	['a test of the trigger in the editor', poll, endless, /larger than 32 MB/],
])(
	'%s ends with a message and closes the connection when the response does not end',
	async (_, task, fault, message) => {
		const target = await startTarget([fault], { requestTimeout: 60 });
		let shown: unknown;
		const growth = await measureGrowth(async () => {
			shown = await task(target).catch(({ message: text }: Error) => text);
		});
		expect(shown).toMatch(message);
		expect(target.journal()).toHaveLength(1);
		expect(await areRequestsClosed(target.sandbox.baseUrl)).toBe(true);
		expect(growth).toBeLessThan(150 * MB);
		await target.close();
	},
);
