import { parseArgs } from 'node:util';
import { choosePairs, nodesInWords, RELEASES, type Pair } from '../setUp/releases';

export interface EditorOptions {
	pair: Pair;
	/** The port that must be n8n's; without one, the first free from {@link FIRST_PORT}. */
	port?: number;
	/** n8n's folder stays there in the end. */
	keep: boolean;
	help: boolean;
}

/** n8n's usual port. */
export const FIRST_PORT = 5678;

export const EDITOR_USAGE = `npm run editor [-- OPTIONS]

Opens a whole n8n on 127.0.0.1 with this package installed, the sandbox behind it, credentials and examples, until
Ctrl+C. Its data is gone then.

  --port N        n8n's port (default: ${FIRST_PORT}, or the next free one)
  --n8n RELEASE   ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --node MAJOR    on this Node.js (${nodesInWords()})
  --keep          leave n8n's folder with its log and database there in the end
  --help          this text`;

/** A command line that is not understood; the message is for a person. */
export class UsageError extends Error {}

/** @throws UsageError on an unknown option, n8n or port */
export function readEditorOptions(args: string[]): EditorOptions {
	const { n8n = RELEASES[0], node, port, keep, help } = parsed(args);
	const [pair] = choosePairs({ n8n, node, scheduler: 'classic' });
	const on = node === undefined ? '' : ` on Node.js ${node}`;
	if (!pair) throw new UsageError(`There is no n8n ${n8n}${on} here.`);
	return { pair, port: readPort(port), keep, help };
}

function parsed(args: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	try {
		return parseArgs({ args, options: { n8n: text, node: text, port: text, keep: flag, help: flag } }).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function readPort(port: string | undefined): number | undefined {
	if (port === undefined) return undefined;
	if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
	throw new UsageError(`--port takes a number from 1 to 65535, not '${port}'.`);
}
