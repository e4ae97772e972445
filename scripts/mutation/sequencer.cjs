// Runs the unit tests before the slow tests of whole histories and n8n workflows: most mutants die early.
const { default: Sequencer } = require('@jest/test-sequencer');

const isSlow = ({ path }) => !path.includes('/test/unit/');

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => isSlow(a) - isSlow(b) || a.path.localeCompare(b.path));
	}
};
