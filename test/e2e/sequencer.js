const { default: Sequencer } = require('@jest/test-sequencer');

const SLOWEST_FIRST = [
	'soak/soak',
	'exactlyOnce/queue',
	'templates/runThatTakesHours',
	'templates/outsideServices',
	'templates/postgres',
	'trigger/restart',
	'exactlyOnce/killed',
	'editor/editor',
	'rest/cli',
	'trigger/changes',
	'templates/nightlyExport',
	'templates/resumableExport',
	'stop/timeout',
	'templates/formToEmail',
	'browser/pictures',
	'browser/firstSteps',
	'browser/firstDay',
];

/** Starts the slowest test files first, so that both workers end at about the same time. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const index = SLOWEST_FIRST.findIndex((file) => path.endsWith(`/${file}.test.ts`));
			return index < 0 ? SLOWEST_FIRST.length : index;
		};
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
};
