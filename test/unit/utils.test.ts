import { foldCase, parseTimestamp } from '../../nodes/Prospector/utils';

test.each([
	'2026-03-01T08:00:00',
	'2026-03-01 08:00:00.000',
	'2026-03-01T09:00:00+01:00',
	'2026-03-01t03:00:00.000000000-0500',
	'2026-03-01 10:00 +02',
	' 2026-03-01T08:00:00Z\n',
	'Sun, 01 Mar 2026 08:00:00 GMT',
])('parseTimestamp reads %s as 08:00 UTC even if the computer has another time zone', (timestamp) => {
	expect(parseTimestamp(timestamp)).toBe(Date.UTC(2026, 2, 1, 8));
});

test.each([
	...[undefined, 5, '', 'Week 3', '5', '2026', '1772352000000', '2026-13-01', '2026-03-01T8:00Z'],
	...['March 1, 2026', '03/01/2026', 'Sun, 01 Mar 2026', '2026-03-01 10:00 CET'],
	`2026-03-01T08:00:00Z${' '.repeat(64)}`,
])('parseTimestamp returns undefined for %j because the value is not a timestamp', (value) =>
	expect(parseTimestamp(value)).toBeUndefined(),
);

test.each([
	['istanbul', ['İstanbul', 'ISTANBUL', 'ıstanbul', 'I\u0307STANBUL']],
	['ΟΔΟΣ', ['οδος', 'οδοσ']],
])('foldCase makes %j equal to its other spellings %j', (text, spellings) => {
	expect(spellings.map(foldCase)).toEqual(spellings.map(() => foldCase(text)));
});

test('foldCase makes each character equal to its other letter case and to its composed and decomposed forms', () => {
	const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
	const formsOf = (text: string) => [
		...[text.toLowerCase(), text.toUpperCase(), text.normalize('NFC'), text.normalize('NFD')],
	];
	const isFolded = (text: string) => formsOf(text).every((form) => foldCase(form) === foldCase(text));
	expect(characters.filter((text) => !isFolded(text))).toEqual([]);
});
