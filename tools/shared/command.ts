/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import type { parseArgs, ParseArgsConfig } from 'node:util';
import { parse } from '../../test/e2e/options';
import { log, runMain, UsageError } from '../../test/e2e/setUp/commands';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** Option of a command with a value. */
export const TEXT = { type: 'string' } as const;
/** Option of a command without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

/**
 * Runs a command: parses its options, of which each command has `--help`, and ends the process with its exit code.
 *
 * @param usage printed with `--help`, and if the command line is invalid
 * @param act returns the exit code; a UsageError becomes 2
 */
export function runCommand<const O extends Options>(
	usage: string,
	options: O,
	act: (values: Values<O>) => Promise<number>,
): void {
	runMain(async () => {
		const { values } = parse({ args: process.argv.slice(2), options: { ...options, help: FLAG } });
		if ((values as { help: boolean }).help) {
			log(usage);
			return 0;
		}
		return await act(values as Values<O>);
	}, usage);
}

/** @throws UsageError if an option is no whole number from 1 to `max` */
export function parseCount(option: string, text: string, max = 9_999_999): number {
	if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max) return Number(text);
	throw new UsageError(`--${option} takes a whole number from 1 to ${max}, not '${text}'.`);
}
