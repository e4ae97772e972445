import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import { calls, everyFailure, status } from '../helpers/everyFailure';

const READ = calls['a read'];

describe('after a run was started', () => {
	const after = (idempotencyKey?: string) => ({ ...READ, startedRun: { id: 'run_9', idempotencyKey } });

	test.each(everyFailure.filter(({ kind }) => kind !== 'canceled'))('%j tells of that run', (failure) => {
		const { message, description } = describeFailure(failure, after('key-1'));
		expect(message).toMatch(/, after run 'run_9' had been started( \(request req_77\))?$/);
		expect(description).toContain("Run › Get and its results with Result › Get Many, ID 'run_9'");
		expect(description).toContain('goes on with the same run');
		expect(description).toContain("set 'Idempotency Key' under Options to 'key-1'");
		expect(description).not.toMatch(/Nothing was (done|changed)/);
	});

	test.each(everyFailure.filter(({ kind }) => kind === 'canceled'))('%j tells of that run too', (failure) => {
		const { message, description } = describeFailure(failure, after('key-1'));
		expect(message).toMatch(/^The execution was canceled while a request /);
		expect(description).toContain("Run › Get and its results with Result › Get Many, ID 'run_9'");
		expect(description).not.toMatch(/Nothing was (done|changed)/);
	});

	test('nobody is told to retry where no key was sent', () => {
		expect(describeFailure(status(429), after()).description).toContain('Do not retry this');
	});

	test.each([401, 403])('%i still tells what is wrong with the key', (code) => {
		const own = describeFailure(status(code), READ).description.replace(/\.$/, '');
		expect(describeFailure(status(code), after('key-1')).description).toContain(own);
	});
});
