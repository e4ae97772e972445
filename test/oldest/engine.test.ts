/* eslint-disable @typescript-eslint/no-require-imports -- an import can't be inside of `describe` */
/**
 * Tests whose result depends on the release of n8n-core, with the oldest supported release. They are one file because
 * loading n8n-core takes longer than most of these tests.
 */
describe('With the oldest supported n8n-core', () => {
	describe('failures', () => void require('../workflow/failures.test'));
	describe('identity', () => void require('../workflow/identity.test'));
	describe('operations', () => void require('../workflow/operations.test'));
	describe('startedRuns', () => void require('../workflow/startedRuns.test'));
	describe('stopping', () => void require('../workflow/stopping.test'));
	describe('toolAnswers', () => void require('../workflow/toolAnswers.test'));
});
