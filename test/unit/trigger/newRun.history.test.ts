import { testHistories } from '../helpers/trigger/testHistories';

testHistories('New Run emits each run that is started, and each only once, whatever happens', 'newRun');
