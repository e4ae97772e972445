/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';

/** Calls the function that a file serves, in a process of its own. The result is undefined if the process ends before. */
export function callInChild<Result>(file: string, input: object, options: ForkOptions = {}) {
	const child = fork(file, [JSON.stringify(input)], { execArgv: ['--import', 'tsx'], ...options });
	let result: Result | undefined;
	child.on('message', (message: Result) => (result = message));
	return { child, result: once(child, 'exit').then(() => result) };
}

/** Serves a function for `callInChild`. Does nothing in a process that was not forked. */
export function serveInChild<Input>(act: (input: Input) => Promise<object>): void {
	if (!process.send) return;
	void act(JSON.parse(process.argv[2]) as Input).then((result) =>
		// Also closes what the function has left open.
		process.send!(result, () => process.exit()),
	);
}
