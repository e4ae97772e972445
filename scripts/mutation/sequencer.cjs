// Runs the unit tests of the mutated folder first, and slow tests last: most mutants die early.
const { default: Sequencer } = require('@jest/test-sequencer');

/** Those of whole histories and n8n workflows, and many simulations. */
const isSlow = ({ path }) => !path.includes('/test/unit/') || path.includes('rateLimitEstimator');
const isOwn = ({ path }) => path.includes(`/test/unit/${process.env.MUTATION_FOLDER}/`);
const rankOf = (test) => 2 * isSlow(test) - isOwn(test);

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => rankOf(a) - rankOf(b) || a.path.localeCompare(b.path));
	}
};
