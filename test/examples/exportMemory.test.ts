import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/types';
import { startSandbox } from '../../sandbox/sandbox';
import type { Left } from './exportProcess';

const PAGE = 1000;
const MEGABYTE = 2 ** 20;

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({
		port: 0,
		seed: false,
		settings: { limit: 1_000_000, defaultPageSize: PAGE, maxPageSize: PAGE },
	});
});
afterAll(async () => await sandbox.close());

/** Exports so many results in a process of its own, which knows of no garbage but its own. */
async function exportOf(results: number): Promise<Left & { pages: number }> {
	sandbox.control.reset();
	sandbox.control.seed({ workflows: [{ runs: [{ results }] }] });
	const child = fork(join(__dirname, 'exportProcess.ts'), [sandbox.baseUrl, sandbox.keys.full], {
		execArgv: ['--import', 'tsx', '--expose-gc'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		env: { ...process.env, N8N_USER_FOLDER: undefined },
	});
	const left = await new Promise<Left>((resolve, reject) => {
		child.once('message', (message) => resolve(message as Left));
		child.once('exit', (code) => reject(new Error(`The export's process ended with ${code}`)));
	});
	const pages = sandbox.control.journal().filter(({ operation }) => operation === 'listResults').length;
	return { ...left, pages };
}

const peak = ({ heap }: Left) => Math.max(...heap);

test('memory stays flat over 100,000 results', async () => {
	const few = await exportOf(10_000);
	const many = await exportOf(100_000);
	expect([few.finished, many.finished]).toEqual([true, true]);
	expect([few.pages, many.pages]).toEqual([10, 100]);
	// The execution holds a few small items per page, and none of a result.
	expect(many.items).toBeLessThan(5 * many.pages);
	expect(many.characters).toBeLessThan(5000 * many.pages);
	// 90,000 results more would take some 90 MB more if the execution kept them.
	expect(peak(many) - peak(few)).toBeLessThan(20 * MEGABYTE);
}, 300_000);
