import { readEditorOptions, UsageError } from '../e2e/editor/options';

describe('the options of npm run editor', () => {
	test('without any, the newest n8n on any free port, and nothing stays', () => {
		expect(readEditorOptions([])).toEqual({
			pair: { release: '2.41', node: 24, scheduler: 'classic' },
			port: undefined,
			keep: false,
			help: false,
		});
	});

	test('each option is read', () => {
		expect(
			readEditorOptions(['--n8n', '1.123', '--node', '22', '--port', '6000', '--keep', '--help']),
		).toEqual({
			pair: { release: '1.123', node: 22, scheduler: 'classic' },
			port: 6000,
			keep: true,
			help: true,
		});
	});

	test.each([
		[['--n8n', '3'], 'There is no n8n 3 here.'],
		[['--node', '18'], 'There is no n8n 2.41 on Node.js 18 here.'],
		[['--port', '0'], "--port takes a number from 1 to 65535, not '0'."],
		[['--port', '65536'], "--port takes a number from 1 to 65535, not '65536'."],
		[['--port', 'x'], "--port takes a number from 1 to 65535, not 'x'."],
	])('%j is refused in words', (args, message) => {
		expect(() => readEditorOptions(args)).toThrow(new UsageError(message));
	});

	test('so is an unknown option', () => {
		expect(() => readEditorOptions(['--prot', '1'])).toThrow(UsageError);
	});
});
