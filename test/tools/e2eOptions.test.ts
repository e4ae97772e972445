import { readFileSync } from 'node:fs';
import { readEditorOptions, readOptions } from '../e2e/options';
import { UsageError } from '../e2e/setUp/commands';
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
		[['--n8n', '2.41', '--node', '20'], 'no n8n 2.41 on Node.js 20'],
		[['--n8n', '0.9'], 'no n8n 0.9'],
		[
			['--n8n', '1.123', '--scheduler', 'durable'],
			"no n8n 1.123 on Node.js of any version with the scheduler 'durable'",
		],
		[['--quick'], "Unknown option '--quick'"],
	])('rejects %j with "%s"', (args, message) => expect(() => readOptions(args)).toThrow(message));
});

describe('readEditorOptions', () => {
	test('returns the newest n8n and any free port by default', () => {
		expect(readEditorOptions([])).toEqual({
			platform: DEFAULT_PLATFORMS[0],
			port: undefined,
			...{ keep: false, dev: false, help: false },
		});
	});

	test('reads each option', () => {
		expect(
			readEditorOptions(['--n8n', '1.123', '--node', '22', '--port', '6000', '--keep', '--help']),
		).toEqual({
			platform: { release: '1.123', node: 22, scheduler: 'classic' },
			port: 6000,
			keep: true,
			dev: false,
			help: true,
		});
	});

	test.each([
		[['--n8n', '3'], 'There is no n8n 3 here.'],
		[['--node', '18'], 'There is no n8n 2.41 on Node.js 18 here.'],
		[['--port', '0'], "--port takes a number from 1 to 65535, not '0'."],
		[['--port', '65536'], "--port takes a number from 1 to 65535, not '65536'."],
		[['--port', 'x'], "--port takes a number from 1 to 65535, not 'x'."],
		[['--prot', '1'], "Unknown option '--prot'"],
	])('rejects %j with a message', (args, message) => {
		expect(() => readEditorOptions(args)).toThrow(new UsageError(message));
	});
});

test('the CI workflow runs every tested platform', () => {
	const workflow = readFileSync('.github/workflows/ci.yml', 'utf8');
	const rows = workflow.matchAll(/\{ n8n: '([\d.]+)', node: (\d+), scheduler: (\w+) \}/g);
	const platforms = [...rows].map(([, release, node, scheduler]) => ({ release, node: +node, scheduler }));
	expect(platforms).toEqual(ALL_PLATFORMS);
});
