import { readFileSync } from 'node:fs';
import { readOptions } from '../e2e/options';
import { ALL_PLATFORMS, DEFAULT_PLATFORMS } from '../e2e/setUp/platforms';

const platformsOf = (args: string[]) => readOptions(args).runs.map(({ platform }) => platform);
const scopesOf = (args: string[]) => readOptions(args).runs.map(({ scope }) => scope);

describe('readOptions', () => {
	test.each<[string[], object[]]>([
		[[], DEFAULT_PLATFORMS],
		[['--all'], ALL_PLATFORMS],
		[['--n8n', '1.123'], [{ release: '1.123', node: 20, scheduler: 'classic' }]],
		[['--n8n=1.123', '--node=22'], [{ release: '1.123', node: 22, scheduler: 'classic' }]],
		[['--n8n', '2.41'], DEFAULT_PLATFORMS.slice(0, 2)],
		[['--scheduler', 'durable'], [{ release: '2.41', node: 24, scheduler: 'durable' }]],
	])('%j selects platforms', (args, expected) => expect(platformsOf(args)).toEqual(expected));

	test.each([
		[[], ['all', 'trigger', 'essential']],
		[['--all'], ['all', 'trigger', 'all', 'all', 'all']],
		[['--record'], ['all', 'trigger', 'all']],
		[['--n8n', '1.123'], ['all']],
		[['--node', '20'], ['all']],
		[['rest/cli'], ['all', 'trigger', 'all']],
	])('%j selects scopes', (args, expected) => expect(scopesOf(args)).toEqual(expected));

	test('returns flags and parts of file names', () => {
		expect(readOptions(['--record', '--broken', 'rest/editor'])).toMatchObject({
			...{ files: ['rest/editor'], record: true, broken: true, help: false },
		});
	});

	test.each([
		[
			'a Node.js on which the n8n does not run',
			['--n8n', '2.41', '--node', '20'],
			'no n8n 2.41 on Node.js 20',
		],
		['an unknown n8n', ['--n8n', '0.9'], 'no n8n 0.9'],
		[
			'a scheduler that the n8n does not have',
			['--n8n', '1.123', '--scheduler', 'durable'],
			"no n8n 1.123 on Node.js of any version with the scheduler 'durable'",
		],
		['an unknown option', ['--quick'], "Unknown option '--quick'"],
	])('rejects %s', (_, args, message) => expect(() => readOptions(args)).toThrow(message));
});

test('the CI workflow runs every tested platform', () => {
	const workflow = readFileSync('.github/workflows/ci.yml', 'utf8');
	const rows = workflow.matchAll(/\{ n8n: '([\d.]+)', node: (\d+), scheduler: (\w+) \}/g);
	const platforms = [...rows].map(([, release, node, scheduler]) => ({
		release,
		node: Number(node),
		scheduler,
	}));
	expect(platforms).toEqual(ALL_PLATFORMS);
});
