const { default: Sequencer } = require('@jest/test-sequencer');

const SLOWEST_FIRST = [
	'simulator/histories1',
	'simulator/histories2',
	'rate/rateLimitEstimator',
	'oldest/engine',
	'examples/resumableExport',
	'campaign/campaign',
	'hostileService/anyResponse',
	'actions/itemProcessor',
	'workflow/identity',
	'exactlyOnce/queue',
	'installation/installation',
	'mcp/mcp',
	'templates/byHand',
	'templates/runThatTakesHours',
	'canaries/overdueWaits',
	'canaries/parkedParents',
	'trigger/twoPollers',
	'trigger/restart',
	'trigger/losses',
	'pictures/pictures',
	'browser/firstSteps',
	'exactlyOnce/killed',
	'templates/tables',
	'e2e/editor',
];

/** Measures processor time, which other processes prolong. */
const LAST = /\/unit\/longestTurn\/\w+\.test\.ts$/;

/** Starts the slowest test files first, so that all workers end at about the same time. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			if (LAST.test(path)) return Infinity;
			const index = SLOWEST_FIRST.findIndex((file) => path.endsWith(`/${file}.test.ts`));
			return index < 0 ? SLOWEST_FIRST.length : index;
		};
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
};
