import type { NewKey } from '../../sandbox/types';
import { startEnvironment, useEnvironment } from './environment';

const env = useEnvironment(startEnvironment);

const IDENTITY = '/api/public/v1/me';
const CONFIG = '/api/public/v1/prospector/config';

test.each<[string, Omit<NewKey, 'name'>, string[]]>([
	['every scope', {}, [IDENTITY]],
	['every scope but me.read', { scopes: ['prospector.read', 'prospector.run'] }, [IDENTITY, CONFIG]],
	['only prospector.read', { scopes: ['prospector.read'] }, [IDENTITY, CONFIG]],
])('the credential test succeeds if the API key has %s', async (_, key, paths) => {
	const { secret: apiKey } = env.control.createKey({
		name: `key_${env.control.state().keys.length}`,
		...key,
	});
	const { baseUrl } = env.sandbox;
	expect(await env.testCredential({ apiKey, baseUrl })).toEqual({ status: 'OK', message: 'Connected' });
	expect(env.journal().map(({ path }) => path)).toEqual(paths);
});
