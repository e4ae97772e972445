/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import type { parseArgs, ParseArgsConfig } from 'node:util';
import { usageOf } from '../../scripts/commands.cjs';
import { parse } from '../../test/e2e/options';
import { runMain, UsageError } from '../../test/e2e/setUp/commands';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** Option of a command with a value. */
export const TEXT = { type: 'string' } as const;
/** Option of a command without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

/**
 * Runs a command: parses its options, and ends the process with its exit code.
 *
 * @param name of the command, whose usage is printed if the command line is invalid
 * @param act returns the exit code; a UsageError becomes 2
 */
export function runCommand<const O extends Options>(
	name: string,
	options: O,
	act: (values: Values<O>) => Promise<number>,
): void {
	runMain(async () => {
		const { values } = parse({ args: process.argv.slice(2), options });
		return await act(values as Values<O>);
	}, usageOf(name));
}

/** @throws UsageError if an option is no whole number from 1 to `max` */
export function parseCount(option: string, text: string, max = 9_999_999): number {
	if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max) return Number(text);
	throw new UsageError(`--${option} takes a whole number from 1 to ${max}, not '${text}'.`);
}
