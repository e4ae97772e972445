import { testHistories } from '../helpers/trigger/testHistories';

testHistories('New Run emits each new run exactly once in random histories', 'newRun');
