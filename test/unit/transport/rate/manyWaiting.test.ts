import { runInThisContext } from 'node:vm';
import { router } from '../../../../nodes/Prospector/actions/router';
import { flushPromises } from '../../helpers/manualTiming';
import { fakeExecution, itemResponse } from '../../helpers/support';

/** Not jest's copy, which is told of no warning. */
const realProcess = runInThisContext('process') as NodeJS.Process;

test.each([5, 100])('Node.js prints no warning when %i items wait in the rate limiter', async (count) => {
	const warnings: string[] = [];
	const note = ({ message }: Error) => warnings.push(message);
	realProcess.on('warning', note);
	const { context } = fakeExecution({
		parameters: { resource: 'config', operation: 'get', options: { maxConcurrentRequests: count } },
		input: new Array(count).fill({}),
		answers: [itemResponse({ id: 'x' })],
	});
	expect(await router(context)).toHaveLength(count);
	await flushPromises();
	realProcess.off('warning', note);
	expect(warnings).toEqual([]);
});
