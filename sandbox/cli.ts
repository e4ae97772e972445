/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { requestLine, welcome } from './cliText';
import { parseInteger, parseOptions, UsageError } from './commandLine';
import { ControlError } from './errors';
import { startSandbox } from './sandbox';
import type { ListOrder, SandboxSettings } from './settings';
import type { Sandbox } from './types';

const HELP = `Serves the prospecting workspace API on 127.0.0.1, as its contract describes it.

  --port N          port (default 4010; 0 picks a free one)
  --limit N         requests per key and minute (default 600)
  --statuses a,b,c  statuses of a run, in order (default queued,running,completed)
  --stage-ms N      milliseconds in each status except the last (default 1500)
  --order O         order of lists: newest (default), oldest, shuffled or random
  --page-size N     items per page unless the client sets a size (default 50)
  --help            print this text`;

const text = { type: 'string' } as const;
const OPTIONS = {
	port: text,
	limit: text,
	statuses: text,
	'stage-ms': text,
	order: text,
	'page-size': text,
	help: { type: 'boolean' },
} as const;

type Output = Pick<Console, 'log' | 'error'>;

/** Starts the sandbox unless the arguments are wrong. Returns the exit code. */
export async function runCli(args: string[], output: Output): Promise<number> {
	try {
		const options = parseOptions(OPTIONS, args);
		if (options.help) {
			output.log(HELP);
			return 0;
		}
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
		output.error(`${error.message}\n\n${HELP}`);
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
