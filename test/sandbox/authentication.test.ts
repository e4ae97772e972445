import {
	OPERATION_CASES,
	closeAll,
	oneOfEach,
	startTestSandbox,
	sendCase,
	READS,
	START,
	WRITES,
} from './support';
import type { Bench } from './support';

afterEach(closeAll);

describe('401 (contract 5.4)', () => {
	const conditions: Array<[string, (bench: Bench) => string | undefined]> = [
		['header missing', () => undefined],
		['key malformed', () => 'Bearer nonsense'],
		['prefix alone', () => 'Bearer prospector_sandbox_full_'],
		['another scheme', (bench) => `Basic ${bench.key.full}`],
		['no scheme', (bench) => bench.key.full],
		['empty bearer', () => 'Bearer '],
		['key revoked', (bench) => `Bearer ${bench.key.revoked}`],
		['key expired', (bench) => `Bearer ${bench.key.expired}`],
	];

	describe.each(conditions)('%s', (_condition, header) => {
		test.each(OPERATION_CASES)('$number $operation', async (item) => {
			const bench = await startTestSandbox();
			const where = oneOfEach(bench);
			const before = bench.control.state().counts;
			const authorization = header(bench);
			const reply = await sendCase(bench, item, where, {
				key: null,
				headers: authorization === undefined ? {} : { authorization },
			});
			expect(reply.status).toBe(401);
			expect(bench.control.state().counts).toEqual({ ...before, journal: 1 });
			expect(bench.control.journal()[0].hasAuthorization).toBe(authorization !== undefined);
		});
	});

	test('the reasons go to the journal and not to the client', async () => {
		const bench = await startTestSandbox();
		for (const key of [null, 'x', bench.key.revoked, bench.key.expired]) {
			const { json } = await bench.call('GET', '/me', { key });
			expect(json.error).toEqual({ message: 'Unauthorized' });
		}
		expect(bench.control.journal().map((entry) => [entry.keyName, entry.reason])).toEqual([
			[null, 'no Authorization header'],
			[null, 'malformed key'],
			['revoked', 'revoked key'],
			['expired', 'expired key'],
		]);
	});
});

describe('403 (contract 5.2 and 5.3)', () => {
	test.each(WRITES)('$number $operation without its scope', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		expect((await sendCase(bench, item, where, { key: bench.key.readOnlyScope })).status).toBe(403);
		expect(bench.control.journal()[0].committed).toBe(false);
	});

	test.each(WRITES)('$number $operation by a read-only membership', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const before = bench.control.state().counts;
		expect((await sendCase(bench, item, where, { key: bench.key.readOnlyMembership })).status).toBe(403);
		expect(bench.control.state().counts).toEqual({ ...before, journal: 1 });
	});

	test.each(OPERATION_CASES)('$number $operation with every scope but its own', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const all = bench.control.state().keys[0].scopes;
		const scopes = all.filter((scope) => scope !== item.scope);
		const { secret } = bench.control.createKey({ name: 'other', scopes });
		expect((await sendCase(bench, item, where, { key: secret })).status).toBe(403);
	});

	test.each(OPERATION_CASES)('$number $operation with no scope but its own', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const { secret } = bench.control.createKey({ name: 'other', scopes: [item.scope] });
		expect((await sendCase(bench, item, where, { key: secret })).status).toBe(200);
	});

	test.each(READS)('$number $operation is open to a read-only membership', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		expect((await sendCase(bench, item, where, { key: bench.key.readOnlyMembership })).status).toBe(200);
	});

	test('the ready-made keys do what their names say about /me', async () => {
		const bench = await startTestSandbox();
		const status = async (key: string) => (await bench.call('GET', '/me', { key })).status;
		expect(await status(bench.key.noMeRead)).toBe(403);
		expect(await status(bench.key.readOnlyScope)).toBe(200);
		expect(await status(bench.key.readOnlyMembership)).toBe(200);
	});
});

describe('the life of a key', () => {
	test('rotating makes a new secret and ends the old one at once', async () => {
		const bench = await startTestSandbox();
		const rotated = bench.control.rotateKey('full');
		expect(rotated).toMatchObject({ name: 'full', status: 'active', membership: 'full' });
		expect(rotated.secret).not.toBe(bench.key.full);
		expect((await bench.call('GET', '/me')).status).toBe(401);
		expect((await bench.call('GET', '/me', { key: rotated.secret })).status).toBe(200);
		const records = bench.control.state().keys.filter((key) => key.name === 'full');
		expect(records.map((key) => key.status)).toEqual(['revoked', 'active']);
	});

	test('rotating twice leaves one secret', async () => {
		const bench = await startTestSandbox();
		const first = bench.control.rotateKey('full').secret;
		const second = bench.control.rotateKey('full').secret;
		expect((await bench.call('GET', '/me', { key: first })).status).toBe(401);
		expect((await bench.call('GET', '/me', { key: second })).status).toBe(200);
	});

	test('revoking ends it', async () => {
		const bench = await startTestSandbox();
		bench.control.revokeKey('full');
		expect((await bench.call('GET', '/me')).status).toBe(401);
	});

	test('it expires at its time', async () => {
		const bench = await startTestSandbox();
		const expiresAt = new Date(START + 1000).toISOString();
		const { secret } = bench.control.createKey({ name: 'brief', expiresAt });
		bench.pass(999);
		expect((await bench.call('GET', '/me', { key: secret })).status).toBe(200);
		bench.pass(1);
		expect((await bench.call('GET', '/me', { key: secret })).status).toBe(401);
	});

	test('the secrets are the same every time, and tell their case', async () => {
		const [one, other] = [await startTestSandbox(), await startTestSandbox()];
		expect(one.key).toEqual(other.key);
		expect(one.key.full).toMatch(/^prospector_sandbox_full_[0-9a-f]{24}$/);
		expect(new Set(Object.values(one.key)).size).toBe(6);
	});
});
