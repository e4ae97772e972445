// Jest's environment for Stryker. One failed test kills a mutant, so it skips the tests after it: Jest can't do that.
const { TestEnvironment } = require('jest-environment-node');

/** The mutant that a test of this process has killed. */
let killedMutant;

module.exports = class extends TestEnvironment {
	async handleTestEvent(event, state) {
		await super.handleTestEvent?.(event, state);
		const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (mutant === undefined) return;
		if (event.name === 'test_fn_failure') killedMutant = mutant;
		if (event.name === 'test_start' && killedMutant === mutant) event.test.mode = 'skip';
	}
};
