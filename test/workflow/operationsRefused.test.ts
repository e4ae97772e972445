import type { FaultRule } from '../../sandbox/types';
import { byTitle, everyOperation, inputFor, parametersFor, type Row } from './everyOperation';
import { startEnvironment, type Environment } from './support';

let bench: Environment;
beforeAll(async () => {
	bench = await startEnvironment();
	bench.sandbox.control.createKey({ name: 'without_scopes', scopes: [] });
	const [{ secret }] = bench.sandbox.control.state().keys.filter(({ name }) => name === 'without_scopes');
	await bench.credential('withoutScopes', { apiKey: secret });
	await bench.credential('unknown', { apiKey: 'prospector_sandbox_full_000000000000000000000000' });
	await bench.credential('foreign', { apiKey: 'some-other-token' });
});
afterAll(async () => await bench.close());

/** Fails one operation, and checks that nothing came of it but one refused request. */
async function refused(row: Row, status: number, { key = 'full', id = '' } = {}, fault?: FaultRule) {
	const [input] = inputFor(bench, row, 1);
	bench.prepare(...(fault ? [fault] : []));
	const error = await bench.failure(parametersFor(row), [{ ...input, ...(id && { id }) }], key);
	const [entry, ...further] = bench.sandbox.control.journal();
	expect(further).toEqual([]);
	expect(entry).toMatchObject({ operation: row.calls, status, committed: false });
	expect(error.httpCode).toBe(String(status));
	expect(error.context.itemIndex).toBe(0);
	expect(error.messages).toEqual([]);
	const end = ` (request ${entry.requestId})`;
	expect(error.message.slice(-end.length)).toBe(end);
	return { message: error.message.slice(0, -end.length), description: error.description ?? '', entry };
}

const withStatus = (status: number): FaultRule => ({ kind: 'status', status });

describe.each(byTitle)('%s', (_, row) => {
	it.each(['revoked', 'expired', 'unknown', 'foreign'])(
		'is refused with an API key that is %s',
		async (key) => {
			const { message, description } = await refused(row, 401, { key });
			expect(message).toBe('The API key was not accepted');
			expect(description).toContain("Put a current key into 'API Key' of the credential");
		},
	);

	it('names the scope that the API key lacks', async () => {
		const { message, description } = await refused(row, 403, { key: 'withoutScopes' });
		expect(message).toBe(`This API key may not ${row.purpose}`);
		expect(description).toContain(`the scope '${row.scope}'`);
	});

	it('tells of a conflict, with its idempotency key if it sent one', async () => {
		const { message, entry } = await refused(row, 409, {}, withStatus(409));
		expect(message).toBe(
			row.keyed
				? `The idempotency key '${entry.idempotencyKey}' was already used with a different payload`
				: 'The service reported a conflict with its present state',
		);
	});

	it("tells that the minute's requests are used up", async () => {
		const { message, description } = await refused(row, 429, {}, withStatus(429));
		expect(message).toBe("The API key's requests for this minute are used up");
		expect(description).toContain('Wait a minute and retry');
	});

	it.each([500, 503])('says after a status %i whether a retry is safe', async (status) => {
		const { message, description, entry } = await refused(row, status, {}, withStatus(status));
		expect(message).toBe(`The service had trouble with the request: status ${status}`);
		if (row.method === 'GET') expect(description).toContain('Nothing was changed, so it is safe to retry');
		else if (row.keyed) expect(description).toContain(`to '${entry.idempotencyKey}'`);
		else expect(description).toContain('look at the Prospector workflow before you retry');
	});
});

const withId = everyOperation.filter(({ id }) => id).map((row) => [row.title, row] as const);

it.each(withId)('%s names the id that was not found', async (_, row) => {
	const { message } = await refused(row, 404, { id: 'no_such_thing' });
	const thing = row.id === 'runId' ? 'run' : 'Prospector workflow';
	expect(message).toBe(`The ${thing} 'no_such_thing' was not found`);
});

const withoutId = everyOperation.filter(({ id }) => !id).map((row) => [row.title, row] as const);

it.each(withoutId)('%s doubts the Base URL when there is nothing at its address', async (_, row) => {
	const { message, description } = await refused(row, 404, {}, withStatus(404));
	expect(message).toBe(`Nothing was found below 'Base URL' at '/api/public/v1${row.path}'`);
	expect(description).toContain("'Base URL' of the credential");
});

const writes = everyOperation
	.filter(({ method }) => method !== 'GET')
	.map((row) => [row.title, row] as const);

it.each(writes)('%s is refused to a read-only membership, in words that say so', async (_, row) => {
	const { message, description } = await refused(row, 403, { key: 'readOnlyMembership' });
	expect(message).toBe(`This API key may not ${row.purpose}`);
	expect(description).toContain('the membership that issued it must not be read-only');
});

const reads = everyOperation.filter(({ method }) => method === 'GET').map((row) => [row.title, row] as const);

it.each(reads)('%s is open to a read-only membership', async (_, row) => {
	const items = await bench.items(parametersFor(row), inputFor(bench, row, 1), {}, 'readOnlyMembership');
	expect(items.length).toBeGreaterThan(0);
});
