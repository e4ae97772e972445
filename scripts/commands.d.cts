export interface Command {
	purpose: string;
	/** What is executed. Undefined if there is nothing to do but the build. */
	file?: string;
	args?: string[];
	/** Arguments if the command line has none. */
	defaultArgs?: string[];
	/** Folders, besides the root, whose packages are installed. */
	folders?: string[];
	/** Whether the package is built first. */
	builds?: boolean;
	/** What `--help` prints after the purpose. */
	usage?: string;
}

export const COMMANDS: Record<string, Command>;
export const TOOLS: Record<string, Command>;

export function lineOf(name: string): string;
export function usageOf(name: string): string;
