const { default: Sequencer } = require('@jest/test-sequencer');
const { rankOf } = require('./testFiles.js');

/** Starts the slowest test files first, so that all workers end at about the same time. */
module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => rankOf(a.path) - rankOf(b.path));
	}
};
