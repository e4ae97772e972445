import type { ErrorBody, ErrorRequestId } from '../../sandbox/settings';
import type { FaultRule } from '../../sandbox/types';
import { find, parametersFor } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => (bench = await startEnvironment()));
afterEach(() =>
	bench.sandbox.control.patchSettings({ errorBody: 'object', errorRequestId: 'body', limit: 100_000 }),
);
afterAll(async () => await bench.close());

async function failure(fault: FaultRule) {
	bench.prepare(fault);
	const { message, description } = await bench.failure(parametersFor(find('Workflow › get'), 'wf_1'));
	return { message, description, entry: bench.sandbox.control.journal()[0] };
}

const shapes = (['object', 'text', 'empty'] as ErrorBody[]).flatMap((errorBody) =>
	(['body', 'header', 'none'] as ErrorRequestId[]).map((errorRequestId) => ({ errorBody, errorRequestId })),
);

describe.each(shapes)('With a refusal as $errorBody and its request id in $errorRequestId', (shape) => {
	it.each([401, 403, 404, 409, 429, 500])(
		'status %i carries the request id whenever one was sent',
		async (status) => {
			bench.sandbox.control.patchSettings(shape);
			const { message, description, entry } = await failure({ kind: 'status', status });
			const sent =
				shape.errorRequestId === 'header' ||
				(shape.errorBody === 'object' && shape.errorRequestId === 'body');
			expect(message.endsWith(`(request ${entry.requestId})`)).toBe(sent);
			expect(message.includes('(request')).toBe(sent);
			expect(description?.includes('The service said: "')).toBe(shape.errorBody !== 'empty');
		},
	);
});

it("The service's own words come without markup, line breaks and endless length", async () => {
	const said = async (body: unknown) => (await failure({ kind: 'status', status: 400, body })).description;
	expect(await said('Name\nis   taken')).toContain('The service said: "Name is taken"');
	expect(await said({ message: 'Name is taken' })).toContain('The service said: "Name is taken"');
	expect(await said('<html><h1>Bad gateway</h1></html>')).not.toContain('The service said');
	expect((await said('x'.repeat(5000)))?.length).toBeLessThan(500);
});

it('A limit that is really used up is told, and other API keys go on', async () => {
	bench.prepare();
	bench.sandbox.control.patchSettings({ limit: 1 });
	const parameters = parametersFor(find('Config › get'));
	const error = await bench.failure(parameters, [{}, {}, {}], 'readOnlyScope');
	expect(error.message).toMatch(
		/^The API key's requests for this minute are used up \(request \S+\) \[Item 1\]$/,
	);
	expect(await bench.items(parameters, [{}], {}, 'noMeRead')).toHaveLength(1);
});

it('An idempotency key that already stands for something else is named', async () => {
	bench.prepare();
	const parameters = parametersFor(find('Workflow › create'), '', { options: { idempotencyKey: 'weekly' } });
	const error = await bench.failure(parameters, [{ name: 'One' }, { name: 'Two' }]);
	expect(error.message).toMatch(
		/^The idempotency key 'weekly' was already used with a different payload \(request/,
	);
	expect(bench.sandbox.control.state().counts.workflowsCreated).toBe(1);
});

it.each(['EPERM', 'ECONNREFUSED', 'ETIMEDOUT', '404'])(
	'n8n swaps a message that holds a code, as the id %s does, and ours stays',
	async (id) => {
		bench.prepare();
		const { message } = await bench.failure(parametersFor(find('Run › get'), id));
		expect(message).toMatch(new RegExp(`^The run '${id}' was not found \\(request req_\\w+\\)$`));
	},
);

it('n8n takes a failure that speaks of "canceled" for a stop, and an id that does so leaves it a failure', async () => {
	const ended = await bench.over(parametersFor(find('Run › get'), 'canceled'));
	expect(ended.data.resultData.error?.message).toContain('was not found');
	expect(ended.status).toBe('error');
});
