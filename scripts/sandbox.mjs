// `npm run sandbox -- --port 4010`: the service on this machine, until Ctrl+C.
import { foreground } from './foreground.mjs';
import { install, requireNode } from './setUp.mjs';

requireNode();
install();
foreground('sandbox/cli.ts', process.argv.slice(2));
