import { readFileSync } from 'node:fs';
import { BREAKAGES } from '../e2e/broken/breakages';
import { replaceOnce } from '../e2e/broken/breakPackage';
import { readOptions } from '../e2e/options';
import { ALL, USUAL } from '../e2e/setUp/releases';

describe('the command line of npm run test:e2e', () => {
	test.each<[string, string[], object]>([
		['nothing', [], { pairs: USUAL, jest: [], record: false, broken: false }],
		['all', ['--all', '--record'], { pairs: ALL, record: true }],
		['one n8n', ['--n8n', '1.123'], { pairs: [{ release: '1.123', node: 20 }] }],
		['one n8n on a Node.js', ['--n8n=1.123', '--node=22'], { pairs: [{ release: '1.123', node: 22 }] }],
		['one n8n with both schedulers', ['--n8n', '2.41'], { pairs: USUAL.slice(0, 2) }],
		[
			'one scheduler',
			['--scheduler', 'durable'],
			{ pairs: [{ release: '2.41', node: 24, scheduler: 'durable' }] },
		],
		['files', ['--n8n', '1.123', 'rest/editor'], { pairs: [{ release: '1.123' }], jest: ['rest/editor'] }],
	])('%s', (_, args, expected) => expect(readOptions(args)).toMatchObject(expected));

	test.each([
		[
			'a Node.js on which that n8n does not run',
			['--n8n', '2.41', '--node', '20'],
			'no n8n 2.41 on Node.js 20',
		],
		['an n8n that the tests do not bring', ['--n8n', '0.9'], 'no n8n 0.9'],
		[
			'a scheduler that this n8n does not have',
			['--n8n', '1.123', '--scheduler', 'durable'],
			"no n8n 1.123 on Node.js of any version with the scheduler 'durable'",
		],
		['an unknown option', ['--quick'], "Unknown option '--quick'"],
	])('refuses %s', (_, args, message) => expect(() => readOptions(args)).toThrow(message));
});

test('the workflow of the repository’s CI runs every n8n on every Node.js, with every scheduler, that is tested', () => {
	const workflow = readFileSync('.github/workflows/ci.yml', 'utf8');
	const rows = workflow.matchAll(/\{ n8n: '([\d.]+)', node: (\d+), scheduler: (\w+) \}/g);
	const pairs = [...rows].map(([, release, node, scheduler]) => ({
		release,
		node: Number(node),
		scheduler,
	}));
	expect(pairs).toEqual(ALL);
});

describe('a breakage fits the package as it is built', () => {
	test.each(BREAKAGES.map((breakage) => [breakage.what, breakage] as const))('%s', (_, breakage) => {
		const text = readFileSync(`dist/${breakage.file}`, 'utf8');
		expect(replaceOnce(text, breakage)).not.toBe(text);
	});
});
