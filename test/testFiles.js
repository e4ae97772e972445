const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Ends of the paths of the slowest test files, the slowest first. */
const SLOWEST_FIRST = [
	'simulator/histories1',
	'simulator/histories2',
	'rate/rateLimitEstimator',
	'grouped/unit1',
	'grouped/unit2',
	'oldest/engine',
	'grouped/workflow1',
	'grouped/workflow2',
	'examples/resumableExport',
	'hostileService/anyResponse',
	'actions/itemProcessor',
	'grouped/agent1',
	'workflow/identity',
	'hostileService/limits',
	'grouped/sandbox1',
	'exactlyOnce/queue',
	'installation/installation',
	'mcp/mcp',
	'templates/byHand',
	'templates/runThatTakesHours',
	'canaries/overdueWaits',
	'canaries/parkedParents',
	'trigger/twoPollers',
	'trigger/restart',
	'pictures/pictures',
	'browser/firstSteps',
	'exactlyOnce/killed',
	'templates/tables',
	'e2e/editor',
];

/** Measures processor time, which other processes prolong. */
const LAST = /\/unit\/longestTurn\/\w+\.test\.ts$/;

/** Returns the place of a test file in a run. Those without one are short, and have the same. */
function rankOf(path) {
	if (LAST.test(path)) return Infinity;
	const index = SLOWEST_FIRST.findIndex((file) => path.endsWith(`/${file}.test.ts`));
	return index < 0 ? SLOWEST_FIRST.length : index;
}

const isShort = (path) => rankOf(path) === SLOWEST_FIRST.length;

/** Returns the paths of a project's test files in alphabetical order. */
const testFilesOf = (project) =>
	readdirSync(join(__dirname, project), { recursive: true })
		.filter((name) => name.endsWith('.test.ts'))
		.map((name) => join(__dirname, project, name))
		.sort();

module.exports = { isShort, rankOf, testFilesOf };
