import { testHistories } from '../helpers/trigger/testHistories';

testHistories(
	'Run Status Changed emits an unbroken chain of statuses up to the current one in random histories',
	'runStatusChanged',
);

testHistories(
	'Run Failed emits each run that fails, and only as often as it fails, in random histories',
	'runFailed',
);
