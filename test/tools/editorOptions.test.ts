import { readEditorOptions } from '../e2e/options';
import { UsageError } from '../e2e/setUp/commands';

describe('readEditorOptions', () => {
	test('returns the newest n8n and any free port by default', () => {
		expect(readEditorOptions([])).toEqual({
			platform: { release: '2.41', node: 24, scheduler: 'classic' },
			port: undefined,
			keep: false,
			dev: false,
			help: false,
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
	])('rejects %j with a message', (args, message) => {
		expect(() => readEditorOptions(args)).toThrow(new UsageError(message));
	});

	test('rejects an unknown option', () => {
		expect(() => readEditorOptions(['--prot', '1'])).toThrow(UsageError);
	});
});
