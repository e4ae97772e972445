/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- not published */
// The sandbox in its own process, so that its time and memory do not count as a contender's.
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';

const settings = JSON.parse(process.argv[2]) as Partial<SandboxSettings>;

process.on('disconnect', () => process.exit());
startSandbox({ port: 0, settings, seed: false }).then(
	({ baseUrl }) => process.send?.({ baseUrl }),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);
