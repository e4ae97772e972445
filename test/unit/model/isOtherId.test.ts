import { isOtherId } from '../../../nodes/Prospector/model/resource';
import { rowsOf } from '../helpers/support';

test.each([
	...rowsOf(['Zürich_1', ' zÜRICH_1\n', 'Zu\u0308rich_1', '', undefined, null, { id: 'x' }], false),
	...rowsOf(['Zürich_2', 'Zürich_11', 'Zurich_1', 7], true),
])('isOtherId decides on the received ID %j when Zürich_1 was requested: %j', (received, expected) => {
	expect(isOtherId(received, 'Zürich_1')).toBe(expected);
});
