import { removeRule } from '../../tools/simulate/buildWithoutRule';
import { RULES } from '../../tools/simulate/rules';

test('the code of the trigger contains the text of each removable rule exactly once', () => {
	expect(RULES.length).toBeGreaterThan(50);
	expect(RULES.map((rule) => removeRule(rule).file)).not.toContain('');
});
