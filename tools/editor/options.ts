import { parse } from '../../test/e2e/options';
import { UsageError } from '../../test/e2e/setUp/commands';
import { choosePlatforms, RELEASES, type Platform } from '../../test/e2e/setUp/platforms';

export interface EditorOptions {
	platform: Platform;
	/** The port n8n must use. By default the first free port from {@link DEFAULT_EDITOR_PORT}. */
	port?: number;
	/** Whether to keep n8n's folder. */
	keep: boolean;
	/** Whether to compile changed sources into n8n, which reloads them. */
	dev: boolean;
}

/** n8n's usual port. */
export const DEFAULT_EDITOR_PORT = 5678;

/** @throws UsageError on an unknown option, platform or port */
export function readEditorOptions(args: string[]): EditorOptions {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parse({
		args,
		options: { n8n: text, node: text, port: text, keep: flag, dev: flag },
	});
	const { n8n = RELEASES[0], node, keep, dev } = values;
	const [platform] = choosePlatforms({ n8n, node, scheduler: 'classic' });
	if (!platform) {
		throw new UsageError(`There is no n8n ${n8n}${node === undefined ? '' : ` on Node.js ${node}`} here.`);
	}
	return { platform, port: parsePort(values.port), keep, dev };
}

function parsePort(port: string | undefined): number | undefined {
	if (port === undefined) return undefined;
	if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
	throw new UsageError(`--port takes a number from 1 to 65535, not '${port}'.`);
}
