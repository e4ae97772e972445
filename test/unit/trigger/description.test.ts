import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import approved from './description.json';

test('the editor shows the approved description of the trigger when n8n loads it', () => {
	const text = JSON.stringify(new ProspectorTrigger().description, null, '\t');
	// After a change on purpose: UPDATE=1 npx jest --selectProjects unit test/unit/trigger/description
	if (process.env.UPDATE) writeFileSync(join(__dirname, 'description.json'), `${text}\n`);
	else expect(JSON.parse(text)).toEqual(approved);
});
