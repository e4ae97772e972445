import { useEnvironment } from '../environment';
import { testExactlyOnce } from './sharedTests';

describe('The node starts each run once when responses are lost and executions are retried or stopped', () => {
	testExactlyOnce(useEnvironment(), 'regular');
});
