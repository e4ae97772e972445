/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** A wrong command line or environment variable. The message tells the user how to correct it. */
export class UsageError extends Error {}

/**
 * Like util.parseArgs, which rejects unknown options.
 * @throws UsageError
 */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
	options: T,
	args = process.argv.slice(2),
): ReturnType<typeof parseArgs<{ options: T }>>['values'] {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/** @throws UsageError if the value of an option is not a whole number */
export function parseInteger(option: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (/^\d{1,9}$/.test(value)) return Number(value);
	throw new UsageError(`--${option} takes a whole number, not "${value}".`);
}
