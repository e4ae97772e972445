import type { IDataObject } from 'n8n-workflow';
import { parseApiKeyAccess } from '../../../nodes/Prospector/methods/credentialTest';
import { rowsOf } from '../helpers/support';

const READ = 'prospector.read';
const RUN = 'prospector.run';
const ALL = { canRead: true, canRun: true, isReadOnly: false };
const ONLY_READ = { ...ALL, canRun: false };
const ONLY_RUN = { ...ALL, canRead: false };
const NOTHING = { ...ALL, canRead: false, canRun: false };
const READ_ONLY = { canRead: true, canRun: false, isReadOnly: true };

test.each([
	...rowsOf(
		[{}, { id: 'key_1', workspace: { name: 'A' }, tags: [READ] }, { scopes: null }, { scopes: 5 }],
		ALL,
	),
	...rowsOf([{ scopes: { [READ]: true } }, { data: { api_key: { scopes: [READ] } } }], ALL),
	...rowsOf([{ scopes: ['me.read', READ, RUN] }, { scopes: ` me.read  ${READ}\n${RUN} ` }], ALL),
	[{ scopes: [READ, RUN], api_key: { scopes: [] } }, ALL],
	...rowsOf([{ scopes: `me.read,${READ}, other` }, { api_key: { scopes: [READ] } }], ONLY_READ),
	[{ scopes: [null, 5, {}, [RUN], READ] }, ONLY_READ],
	[{ scopes: [RUN] }, ONLY_RUN],
	...rowsOf([{ scopes: [] }, { scopes: ' ' }, { scopes: [`${READ}.all`, `x${RUN}`] }], NOTHING),
	[{ scopes: `${READ}.all x${RUN}` }, NOTHING],
	...rowsOf([{ scopes: ['Prospector.Read'] }, { scopes: ['constructor', '__proto__'] }], NOTHING),
	...rowsOf(
		[{ read_only: true }, { access: 'read_only' }, { access: 'Read-Only' }, { role: 'read only' }],
		READ_ONLY,
	),
	...rowsOf([{ membership: 'READONLY' }, { membership: { role: 'readonly' } }], READ_ONLY),
	...rowsOf([{ api_key: { read_only: true } }, { scopes: [READ, RUN], read_only: true }], READ_ONLY),
	...rowsOf(
		[{ read_only: 'true' }, { read_only: 1 }, { access: 'not read_only' }, { access: 'read_only_plus' }],
		ALL,
	),
	...rowsOf([{ role: ['read_only'] }, { members: [{ role: 'read_only' }] }, { note: 'read_only' }], ALL),
	[JSON.parse('{"__proto__":{"scopes":[],"read_only":true}}'), { ...NOTHING, isReadOnly: true }],
])('parseApiKeyAccess turns the identity %j of an API key into the access rights %j', (identity, access) => {
	expect(parseApiKeyAccess(identity as IDataObject)).toEqual(access);
});
