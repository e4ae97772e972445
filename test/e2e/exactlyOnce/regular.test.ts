import { startEnvironment, type Environment } from '../environment';
import { testExactlyOnce } from './sharedTests';

describe('The node starts each run once when responses are lost and executions are retried or stopped', () => {
	let e2e: Environment;
	beforeAll(async () => {
		e2e = await startEnvironment();
	});
	afterAll(async () => await e2e?.close());

	testExactlyOnce(() => e2e, 'regular');
});
