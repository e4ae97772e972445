import { readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { RULES } from '../../tools/simulate/rules';

test('the code of the trigger contains the text of each rule that can be removed once', () => {
	const countIn = (file: string, text: string) =>
		readFileSync(`nodes/Prospector/${file}`, 'utf8').split(text).length - 1;
	const wrong = RULES.filter(({ file, find }) => countIn(file, find) !== 1);
	expect(wrong.map(({ name }) => name)).toEqual([]);
});
