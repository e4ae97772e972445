import { startEnvironment, type Environment } from '../environment';
import { testExactlyOnce } from './sharedTests';

describe('Exactly one run: lost responses, retried and stopped executions', () => {
	let e2e: Environment;
	beforeAll(async () => {
		e2e = await startEnvironment();
	});
	afterAll(async () => await e2e?.close());

	testExactlyOnce(() => e2e, 'regular');
});
