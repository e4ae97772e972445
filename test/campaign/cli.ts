import { parseArgs } from 'node:util';

/** Command line of a campaign: options that take whole numbers, and `--help`. */
export interface CommandLine<Name extends string> {
	help: string;
	defaults: Record<Name, number>;
}

/** @returns a message instead of the options if they are invalid */
export function readOptions<Name extends string>(
	args: string[],
	{ help, defaults }: CommandLine<Name>,
): Record<Name, number> | { message: string; exitCode: number } {
	const names = Object.keys(defaults) as Name[];
	const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const));
	try {
		const { values } = parseArgs({ args, options: { ...texts, help: { type: 'boolean' } } });
		if (values.help) return { message: help, exitCode: 0 };
		const numbers = names.map((name) => {
			const text = (values as Record<string, string | undefined>)[name];
			if (text !== undefined && !/^\d{1,9}$/.test(text))
				throw new Error(`--${name} takes a whole number, not "${text}".`);
			return [name, text === undefined ? defaults[name] : Number(text)];
		});
		return Object.fromEntries(numbers) as Record<Name, number>;
	} catch (error) {
		return { message: `${(error as Error).message}\n\n${help}`, exitCode: 2 };
	}
}
