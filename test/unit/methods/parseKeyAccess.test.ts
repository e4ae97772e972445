import type { IDataObject } from 'n8n-workflow';
import { parseKeyAccess } from '../../../nodes/Prospector/methods/parseKeyAccess';

const READ = 'prospector.read';
const RUN = 'prospector.run';
const ALL = { canRead: true, canRun: true, isReadOnly: false };
const ONLY_READ = { ...ALL, canRun: false };
const ONLY_RUN = { ...ALL, canRead: false };
const NOTHING = { ...ALL, canRead: false, canRun: false };
const READ_ONLY = { canRead: true, canRun: false, isReadOnly: true };
const notText = Object.create(null) as IDataObject;

describe('parseKeyAccess', () => {
	test.each<[string, IDataObject, object]>([
		['everything if nothing is known', {}, ALL],
		['everything for other fields', { id: 'key_1', workspace: { name: 'A' }, tags: [READ] }, ALL],
		['both scopes of a list', { scopes: ['me.read', READ, RUN] }, ALL],
		['one scope of a list', { scopes: ['me.read', READ] }, ONLY_READ],
		['one scope without the other', { scopes: [RUN] }, ONLY_RUN],
		['nothing for an empty list', { scopes: [] }, NOTHING],
		['the scopes of text with spaces', { scopes: ` me.read  ${READ}\n${RUN} ` }, ALL],
		['the scopes of text with commas', { scopes: `me.read,${READ}, other` }, ONLY_READ],
		['nothing for empty text', { scopes: ' ' }, NOTHING],
		['no scope that only contains a name', { scopes: [`${READ}.all`, `x${RUN}`] }, NOTHING],
		['no scope in other letter case', { scopes: ['Prospector.Read'] }, NOTHING],
		['nested scopes', { api_key: { scopes: [READ] }, workspace: {} }, ONLY_READ],
		['the outer scopes before nested ones', { scopes: [READ, RUN], api_key: { scopes: [] } }, ALL],
		['everything for scopes two levels deep', { data: { api_key: { scopes: [READ] } } }, ALL],
		['everything for scopes that are no list', { scopes: { [READ]: true } }, ALL],
		['everything for scopes that are a number', { scopes: 5 }, ALL],
		['everything for scopes that are null', { scopes: null }, ALL],
		['only text of a list', { scopes: [null, 5, {}, notText, [RUN], READ] as never }, ONLY_READ],
	])('finds %s', (_, identity, expected) => {
		expect(parseKeyAccess(identity)).toEqual(expected);
	});

	test.each<[IDataObject, boolean]>([
		[{ read_only: true }, true],
		[{ read_only: 'true' }, false],
		[{ read_only: 1 }, false],
		[{ read_only: false }, false],
		[{ access: 'read_only' }, true],
		[{ access: 'Read-Only' }, true],
		[{ role: 'read only' }, true],
		[{ membership: 'READONLY' }, true],
		[{ membership: { role: 'readonly' } }, true],
		[{ member: { access: 'read-only' } }, true],
		[{ api_key: { read_only: true } }, true],
		[{ access: 'not read_only' }, false],
		[{ access: 'read_only_plus' }, false],
		[{ role: 'admin' }, false],
		[{ role: ['read_only'] }, false],
		[{ role: notText }, false],
		[{ members: [{ role: 'read_only' }] }, false],
		[{ note: 'read_only' }, false],
	])('reads from %p that the key is read-only: %j', (identity, isReadOnly) => {
		expect(parseKeyAccess(identity)).toEqual(isReadOnly ? READ_ONLY : ALL);
		const scopes = [READ, RUN];
		expect(parseKeyAccess({ ...identity, scopes })).toEqual(isReadOnly ? READ_ONLY : ALL);
	});

	test('is not fooled by names of Object.prototype', () => {
		const identity = JSON.parse(
			'{"__proto__":{"scopes":[],"read_only":true},"constructor":{"scopes":"x"}}',
		) as IDataObject;
		expect(parseKeyAccess({ scopes: ['constructor', '__proto__'] })).toEqual(NOTHING);
		expect(parseKeyAccess(identity)).toEqual({ ...NOTHING, isReadOnly: true });
		expect(({} as IDataObject).read_only).toBeUndefined();
	});
});
