import { parseArgs } from 'node:util';
import { ControlError } from './errors';
import { requestLine, welcome } from './cliText';
import { startSandbox } from './sandbox';
import type { ListOrder, SandboxSettings } from './settings';
import type { Sandbox } from './types';

const HELP = `Serves the prospecting workspace API on 127.0.0.1, as its contract describes it.

  --port N          port (default 4010; 0 picks a free one)
  --limit N         requests per key and minute (default 600)
  --statuses a,b,c  words a run goes through (default queued,running,completed)
  --stage-ms N      milliseconds in each word but the last (default 1500)
  --order O         order of lists: newest (default), oldest or shuffled
  --page-size N     items per page unless the client says otherwise (default 50)
  --help            this text`;

class UsageError extends Error {}

async function main(): Promise<void> {
	const flags = readFlags();
	if (flags.help) {
		console.log(HELP);
		return;
	}
	const port = numberOf(flags.port, 'port') ?? 4010;
	const settings: Partial<SandboxSettings> = {
		limit: numberOf(flags.limit, 'limit'),
		runStatuses: flags.statuses?.split(',').map((word) => word.trim()),
		runStageMs: numberOf(flags['stage-ms'], 'stage-ms'),
		listOrder: flags.order as ListOrder | undefined,
		defaultPageSize: numberOf(flags['page-size'], 'page-size'),
	};
	const sandbox = await startSandbox({
		port,
		settings,
		onRequest: (entry) => console.log(requestLine(entry)),
	});
	closeOnSignal(sandbox);
	console.log(welcome(sandbox));
}

function readFlags() {
	const text = { type: 'string' } as const;
	const options = {
		port: text,
		limit: text,
		statuses: text,
		order: text,
		help: { type: 'boolean' },
	} as const;
	try {
		return parseArgs({ options: { ...options, 'stage-ms': text, 'page-size': text } }).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function numberOf(value: string | undefined, flag: string): number | undefined {
	if (value === undefined) return undefined;
	if (/^\d{1,9}$/.test(value)) return Number(value);
	throw new UsageError(`--${flag} takes a whole number, not "${value}".`);
}

function closeOnSignal(sandbox: Sandbox): void {
	let closing: Promise<void> | undefined;
	// Not `once`: Ctrl+C comes from the terminal and again from npm, and the second must not cut the first short.
	const close = () => void (closing ??= sandbox.close().then(() => console.log('Sandbox closed.')));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, close);
}

main().catch((error: NodeJS.ErrnoException) => {
	const usage =
		error instanceof UsageError || error instanceof ControlError || error.code === 'ERR_SOCKET_BAD_PORT';
	if (usage) console.error(`${error.message}\n\n${HELP}`);
	else if (error.code === 'EADDRINUSE') {
		console.error('That port is taken. Pass another one with --port N, or --port 0 for a free one.');
	} else console.error(error);
	process.exitCode = usage ? 2 : 1;
});
