import { waitTimeoutMessage, runFailedMessage } from '../../../nodes/Prospector/messages/runMessages';

const seen = { runId: 'run_1', status: 'Brewing', requestId: 'req_9' };
const started = { ...seen, startedRun: { id: 'run_1', idempotencyKey: 'key-1' } };
const startedWithoutKey = { ...seen, startedRun: { id: 'run_1' } };

describe('a run that has not ended in time', () => {
	test.each([
		['started here', started, [/Run › Get/, /Result › Get Many/, /retry this from the executions list/]],
		['started here without a key', startedWithoutKey, [/Run › Get/, /Do not retry this/]],
		['started earlier', seen, [/^The run goes on/, /Run › Get, ID 'run_1'/, /retry this, which waits/]],
	])('and was %s', (_, run, parts) => {
		const { message, description } = waitTimeoutMessage(run, 90_000);
		expect(message).toBe("Run 'run_1' was still 'Brewing' after 90 s (request req_9)");
		for (const part of [...parts, /'Max Wait'/, /add it to 'Finished Statuses'/, /'Failed Statuses'/]) {
			expect(description).toMatch(part);
		}
	});

	test.each([
		['was started here', started],
		['was started earlier', seen],
	])('has no status and %s', (_, run) => {
		const { message, description } = waitTimeoutMessage({ ...run, status: '' }, 1000);
		expect(message).toBe("Run 'run_1' had no status after 1 s (request req_9)");
		expect(description).toMatch(/^The run goes on.*turn off 'Wait for Completion'$/);
	});
});

describe('a run that ended badly', () => {
	test.each([
		['started here', started, /looks at the same run again and starts no other/],
		['started here without a key', startedWithoutKey, /A retry of this execution starts another run/],
		['started earlier', seen, /looks at the same run again\. To start another, use Workflow › Run/],
	])('and was %s', (_, run, advice) => {
		const { message, description } = runFailedMessage(run);
		expect(message).toBe("Run 'run_1' ended as 'Brewing' (request req_9)");
		for (const part of [/Result › Get Many, ID 'run_1'/, advice, /take it out of 'Failed Statuses'/]) {
			expect(description).toMatch(part);
		}
	});

	test('is never advised to be retried by hand with another run started by it', () => {
		expect(runFailedMessage(seen).description).not.toContain('n8n workflow anew');
		expect(runFailedMessage(startedWithoutKey).description).not.toContain('starts no other');
	});
});
