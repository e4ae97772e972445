import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentDetails } from '../../tools/pictures/current';
import { reasonsToRetake, type Current } from '../../tools/pictures/outdated';
import { packageTexts } from '../../tools/pictures/packageTexts';
import { PICTURES, readRecords, sha256, type PictureRecord } from '../../tools/pictures/record';
import { findTarget, readPage, ROOT } from './markdown';

const records = readRecords();
const details = currentDetails();
const names = Object.keys(records);
const read = (name: string) => readFileSync(join(PICTURES, `${name}.png`));

describe('The pictures of the documentation', () => {
	test('are all recorded', () => {
		const files = readdirSync(PICTURES).filter((file) => file !== 'texts.json');
		expect(files.sort()).toEqual(names.map((name) => `${name}.png`).sort());
		expect(Object.keys(details).sort()).toEqual(names.sort());
	});

	test.each(names)('%s.png shows what the package shows now (if not: npm run screenshots)', (name) => {
		const current = { texts: packageTexts(), details: details[name] };
		expect(reasonsToRetake(records[name], read(name), current)).toEqual([]);
	});

	// Whether the shown pictures exist is a matter of every link: documentation.test.ts.
	test('are all shown on a page', async () => {
		const pages = [
			'README.md',
			'examples/README.md',
			...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`),
		];
		const read = await Promise.all(pages.filter((file) => file.endsWith('.md')).map(readPage));
		const shown = read.flatMap(({ file, links }) => links.map((link) => findTarget(link, file)?.file));
		expect(shown).toEqual(expect.arrayContaining(names.map((name) => `docs/images/${name}.png`)));
	});
});

describe('reasonsToRetake', () => {
	const png = Buffer.concat([
		Buffer.from('89504e470d0a1a0a0000000d49484452000003e8', 'hex'),
		Buffer.alloc(8),
	]);
	const record: PictureRecord = { texts: ['Resource', 'Run'], actions: ['Run', 'Get'], sha256: sha256(png) };
	const current: Current = {
		texts: new Set(['Resource', 'Run', 'Get']),
		details: { actions: ['Run', 'Get'] },
	};
	const narrow = Buffer.from(png);
	narrow.writeUInt32BE(999, 16);

	test('finds none for a picture that is up to date', () => {
		expect(reasonsToRetake(record, png, current)).toEqual([]);
	});

	test.each<[string, Partial<PictureRecord>, Buffer, Partial<Current>, RegExp]>([
		['a renamed text', {}, png, { texts: new Set(['Resource', 'Start']) }, /no text "Run"/],
		['a new entry of a list', {}, png, { details: { actions: ['Run', 'Get', 'Stop'] } }, /"Stop"/],
		['another order', {}, png, { details: { actions: ['Get', 'Run'] } }, /now they are \["Get","Run"\]/],
		['a list that is not recorded', { actions: undefined }, png, {}, /shows actions undefined/],
		['another file', { sha256: 'x' }, png, {}, /not the one/],
		['a narrow file', { sha256: sha256(narrow) }, narrow, {}, /999 pixels wide/],
	])('finds %s', (_, recorded, file, now, reason) => {
		const [first, ...others] = reasonsToRetake({ ...record, ...recorded }, file, { ...current, ...now });
		expect([first, others]).toEqual([expect.stringMatching(reason), []]);
	});
});
