import { testHistories } from '../helpers/trigger/testHistories';

testHistories(
	'New Result emits each result that is found, and each only once, whatever happens',
	'newResult',
);
