import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';
import { choosePlatforms, listNodeVersions, RELEASES, type Platform } from '../../test/e2e/setUp/platforms';

export interface EditorOptions {
	platform: Platform;
	/** The port n8n must use. By default the first free port from {@link DEFAULT_EDITOR_PORT}. */
	port?: number;
	/** Whether to keep n8n's folder. */
	keep: boolean;
	/** Whether to compile changed sources into n8n, which reloads them. */
	dev: boolean;
	help: boolean;
}

/** n8n's usual port. */
export const DEFAULT_EDITOR_PORT = 5678;

export const EDITOR_USAGE = `npm run editor [-- OPTIONS]

Opens a whole n8n on 127.0.0.1 with this package, the sandbox, credentials and examples, until Ctrl+C. Its data is
deleted then.

  --port N        n8n's port (default: ${DEFAULT_EDITOR_PORT}, or the next free one)
  --n8n RELEASE   ${RELEASES.join(' or ')} (default ${RELEASES[0]})
  --node MAJOR    on this Node.js (${listNodeVersions()})
  --keep          keep n8n's folder with its log and database
  --dev           compile changed sources into n8n, which reloads them (npm run dev)
  --help          this text`;

/** @throws UsageError on an unknown option, platform or port */
export function readEditorOptions(args: string[]): EditorOptions {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parse({
		args,
		options: { n8n: text, node: text, port: text, keep: flag, dev: flag, help: flag },
	});
	const { n8n = RELEASES[0], node, keep, dev, help } = values;
	const [platform] = choosePlatforms({ n8n, node, scheduler: 'classic' });
	if (!platform) {
		throw new UsageError(`There is no n8n ${n8n}${node === undefined ? '' : ` on Node.js ${node}`} here.`);
	}
	return { platform, port: parsePort(values.port), keep, dev, help };
}

function parsePort(port: string | undefined): number | undefined {
	if (port === undefined) return undefined;
	if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
	throw new UsageError(`--port takes a number from 1 to 65535, not '${port}'.`);
}
