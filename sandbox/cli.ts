/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { usageOf } from '../scripts/commands.cjs';
import { requestLine, welcome } from './cliText';
import { parseInteger, parseOptions, UsageError } from './commandLine';
import { ControlError } from './errors';
import { startSandbox } from './sandbox';
import type { ListOrder, SandboxSettings } from './settings';
import type { Sandbox } from './types';

const text = { type: 'string' } as const;
const OPTIONS = {
	port: text,
	limit: text,
	statuses: text,
	'stage-ms': text,
	order: text,
	'page-size': text,
} as const;

type Output = Pick<Console, 'log' | 'error'>;

/** Starts the sandbox unless the arguments are wrong. Returns the exit code. */
export async function runCli(args: string[], output: Output): Promise<number> {
	try {
		const options = parseOptions(OPTIONS, args);
		const settings: Partial<SandboxSettings> = {
			limit: parseInteger('limit', options.limit),
			runStatuses: options.statuses?.split(',').map((status) => status.trim()),
			runStageMs: parseInteger('stage-ms', options['stage-ms']),
			listOrder: options.order as ListOrder | undefined,
			defaultPageSize: parseInteger('page-size', options['page-size']),
		};
		const port = parseInteger('port', options.port) ?? 4010;
		const onRequest = (entry: Parameters<typeof requestLine>[0]) => output.log(requestLine(entry));
		const sandbox = await startSandbox({ port, settings, onRequest });
		closeOnSignal(sandbox, output);
		output.log(welcome(sandbox));
		return 0;
	} catch (error) {
		return reportFailure(error as NodeJS.ErrnoException, output);
	}
}

function closeOnSignal(sandbox: Sandbox, output: Output): void {
	let closing: Promise<void> | undefined;
	// Not `once`: Ctrl+C sends SIGINT from the terminal and from npm, and the second one must not kill the process.
	const close = () => void (closing ??= sandbox.close().then(() => output.log('Sandbox closed.')));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, close);
}

function reportFailure(error: NodeJS.ErrnoException, output: Output): number {
	if (error instanceof UsageError || error instanceof ControlError || error.code === 'ERR_SOCKET_BAD_PORT') {
		output.error(`${error.message}\n\n${usageOf('sandbox')}`);
		return 2;
	}
	if (error.code === 'EADDRINUSE') {
		output.error('The port is already in use. Pass another one with --port N, or --port 0 for a free one.');
	} else output.error(error);
	return 1;
}

if (require.main === module) {
	void runCli(process.argv.slice(2), console).then((code) => {
		process.exitCode = code;
	});
}
