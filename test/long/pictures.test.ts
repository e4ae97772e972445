import { readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { packageTexts } from '../../tools/pictures/packageTexts';
import { pictureFile, PICTURES, readRecords, reasonsToRetake } from '../../tools/pictures/record';

// Here, because a change of a text must not require a browser and a whole n8n: the workflow Scheduled reports pictures
// that are out of date.
const records = readRecords();
const current = packageTexts();

test.each(Object.keys(records))(
	'the picture "%s" shows the current texts (update: npm run tool -- screenshots)',
	(name) => {
		const picture = readFileSync(`${PICTURES}/${pictureFile(name)}`);
		expect(reasonsToRetake(records[name], picture, current)).toEqual([]);
	},
);
