import { testHistories } from '../helpers/trigger/testHistories';

testHistories('New Result emits each new result exactly once in random histories', 'newResult');
