import { testHistories } from './testHistories';

testHistories(2);
