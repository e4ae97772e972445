import { testHistories } from '../helpers/trigger/testHistories';

testHistories(
	'Run Status Changed emits an unbroken chain of statuses up to the current one, whatever happens',
	'runStatusChanged',
);

testHistories(
	'Run Failed emits each run that fails, and each only as often as it fails, whatever happens',
	'runFailed',
);
