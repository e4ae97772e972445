import { REQUEST_ID_KEY as KEY } from '../../../nodes/Prospector/actions/tracing/customData';
import { saveRequestId } from '../../../nodes/Prospector/actions/requestIds';
import { fakeExecution } from '../helpers/support';

/** An execution whose custom data is as given; n8n ignores what goes beyond ten entries. */
function execution(data: Record<string, string> | undefined, rest: Record<string, unknown> = {}) {
	const customData = data && {
		getAll: () => ({ ...data }),
		set(key: string, value: string) {
			if (key in data || Object.keys(data).length < 10) data[key] = value;
		},
	};
	return fakeExecution({
		rest: { getWorkflowDataProxy: () => ({ $execution: { customData } }), ...rest },
	});
}

const ten = () => Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`own_${i}`, 'x']));

test('request ids stand in the custom data, one behind the other', () => {
	const data = { order: '7' };
	const { context, log } = execution(data);
	for (const id of ['req_1', 'req_2', 'req_1']) saveRequestId(context, 0, id);
	expect(data).toEqual({ order: '7', [KEY]: 'req_1 req_2' });
	expect(log).toEqual([]);
});

test('somebody else’s entry of the same name is left alone', () => {
	const data = { [KEY]: 'mine' };
	saveRequestId(execution(data).context, 0, 'req_1');
	expect(data).toEqual({ [KEY]: 'mine', [`${KEY}_2`]: 'req_1' });
});

test('where n8n has no room, the log says so once', () => {
	const data = ten();
	const { context, log } = execution(data);
	for (const id of ['req_1', 'req_2']) saveRequestId(context, 0, id);
	expect(data).toEqual(ten());
	expect(log).toEqual([expect.stringMatching(/request ID req_1 was not saved.*no room/)]);
});

const refusing = () => {
	throw new Error('No custom data here');
};
test.each([
	['offers no custom data', undefined, {}, /offers no custom data/],
	['names no execution', {}, { getWorkflowDataProxy: () => ({}) }, /offers no custom data/],
	['has no memory', {}, { getContext: refusing }, /No custom data here/],
	['refuses', {}, { getWorkflowDataProxy: refusing }, /No custom data here/],
])('an n8n that %s costs a line in the log and nothing else', (_, data, rest, line) => {
	const { context, log } = execution(data, rest);
	saveRequestId(context, 0, 'req_1');
	expect(log).toEqual([expect.stringMatching(line)]);
});
