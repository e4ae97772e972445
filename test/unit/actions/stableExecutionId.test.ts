import {
	stableExecutionId,
	relativeRunIndex,
	recordRunEnd,
	resumeToken,
} from '../../../nodes/Prospector/actions/stableExecutionId';
import { sha256Hex } from '../../../nodes/Prospector/transport/digest';
import { fakeExecution } from '../helpers/support';

const withToken = (token: string) => `http://127.0.0.1/webhook-waiting/7?signature=${token}`;

describe('what an execution and its retries have in common', () => {
	test('is the digest of the resume token, never the token itself', () => {
		const { context, memory } = fakeExecution({ resumeUrl: withToken('t0ken') });
		expect(stableExecutionId(context, 0)).toBe(sha256Hex('t0ken'));
		expect(JSON.stringify(memory)).not.toContain('t0ken');
	});

	test('is the same in a retry with the same token and another execution id', () => {
		const [first, retry] = ['7', '8'].map(
			(executionId) => fakeExecution({ resumeUrl: withToken('t'), executionId }).context,
		);
		expect(stableExecutionId(retry, 0)).toBe(stableExecutionId(first, 0));
	});

	test('is another one with another token', () => {
		const [one, other] = ['a', 'b'].map(
			(token) => fakeExecution({ resumeUrl: withToken(token), executionId: '7' }).context,
		);
		expect(stableExecutionId(other, 0)).not.toBe(stableExecutionId(one, 0));
	});

	test('is the first execution’s id where there is no token but the context survived', () => {
		const memory = {};
		expect(stableExecutionId(fakeExecution({ executionId: '7', memory }).context, 0)).toBe('7');
		expect(stableExecutionId(fakeExecution({ executionId: '8', memory }).context, 0)).toBe('7');
		expect(stableExecutionId(fakeExecution({ executionId: '9', memory }).context, 0)).toBe('7');
	});

	test('is the execution’s own id where there is no token and the context was lost', () => {
		expect(stableExecutionId(fakeExecution({ executionId: '7' }).context, 0)).toBe('7');
		expect(stableExecutionId(fakeExecution({ executionId: '8' }).context, 0)).toBe('8');
	});

	test.each(['', undefined])('is undefined where n8n gives the execution id %j', (id) => {
		const { context, memory } = fakeExecution({ rest: { getExecutionId: () => id } });
		expect(stableExecutionId(context, 0)).toBeUndefined();
		expect(memory.prospectorExecution).toBeUndefined();
	});

	test('is found where n8n shows nothing about the execution', () => {
		const getWorkflowDataProxy = () => ({ $runIndex: 0 });
		const { context } = fakeExecution({ executionId: '7', rest: { getWorkflowDataProxy } });
		expect(stableExecutionId(context, 0)).toBe('7');
	});
});

describe('the resume token', () => {
	test.each([
		['http://127.0.0.1/webhook-waiting/7?signature=abc', 'abc'],
		['https://n8n.example/webhook-waiting/7?a=1&signature=a%2Bb#x', 'a+b'],
		['http://127.0.0.1/webhook-waiting/7', undefined],
		['http://127.0.0.1/webhook-waiting/7?signature=', undefined],
		['webhook-waiting/7?signature=abc', undefined],
		['', undefined],
		[undefined, undefined],
		[{ href: 'http://127.0.0.1/?signature=abc' }, undefined],
	])('of %j is %j', (url, expected) => {
		expect(resumeToken(url)).toBe(expected);
	});
});

describe('the run index', () => {
	test('counts from 0 in a loop', () => {
		const memory = {};
		const indices = [0, 1, 2].map((runIndex) =>
			relativeRunIndex(fakeExecution({ memory, runIndex }).context, 0),
		);
		expect(indices).toEqual([0, 1, 2]);
	});

	test('counts from 0 again where the context was lost and n8n went on counting', () => {
		const memory = {};
		const indices = [1, 2, 3].map((runIndex) =>
			relativeRunIndex(fakeExecution({ memory, runIndex }).context, 0),
		);
		expect(indices).toEqual([0, 1, 2]);
	});

	test('stays what it was in a retry whose context survived', () => {
		const memory = {};
		relativeRunIndex(fakeExecution({ memory, runIndex: 0 }).context, 0);
		const before = relativeRunIndex(fakeExecution({ memory, runIndex: 2 }).context, 0);
		expect(relativeRunIndex(fakeExecution({ memory, runIndex: 2 }).context, 0)).toBe(before);
	});

	test.each([
		['a retry of the failed node in its third round', 2, 2, 2],
		['a retry that began in the third round, was killed in the fifth, and begins there again', 2, 4, 2],
		['a retry after a killed process, with nothing remembered', 0, 3, 0],
	])('goes on from what had ended in %s', (_, ended, runIndex, expected) => {
		const memory = {};
		const of = (executionId: string, index: number) =>
			fakeExecution({ memory, executionId, runIndex: index }).context;
		for (let round = 0; round < ended; round++) {
			relativeRunIndex(of('first', round), 0);
			recordRunEnd(of('first', round));
		}
		relativeRunIndex(of('first', ended), 0);
		expect(relativeRunIndex(of('second', runIndex), 0)).toBe(expected);
	});

	test('is not remembered by a node that never asked for it', () => {
		const memory = {};
		recordRunEnd(fakeExecution({ memory }).context);
		expect(memory).toEqual({});
	});
});
