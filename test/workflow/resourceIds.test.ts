import { startEnvironment, type Environment } from './environment';
import { everyOperation, findOperation, parametersFor, type Row } from './everyOperation';

let env: Environment;
beforeAll(async () => (env = await startEnvironment()));
beforeEach(() => env.resetService());
afterAll(async () => await env.close());

test.each(everyOperation.filter(({ id }) => id).map((row) => [row.title, row] as const))(
	'the operation %s sends an ID as one path segment of the URL when the ID has special characters',
	async (_, row) => {
		const ids = [
			...['a/b', '../me', './x', '%2e%2e', '..%2Fme', '/etc', '\\..\\me', 'x?limit=1', 'x#y', 'x&y=z', 'a b'],
			...['@evil.example', '//evil.example/x', ':80', '%', '%00', '東京', 'a{{ 1 }}', '__proto__', 'runs'],
		];
		for (const id of ids) expect((await env.getError(parametersFor(row), [{ id }])).httpCode).toBe('404');
		const path = (operation: Row, id: string) =>
			`/api/public/v1${operation.path.replace('ID', encodeURIComponent(id))}`;
		const check = findOperation('Run › get');
		const expected = ids.flatMap((id) => [
			...(row.checked ? [['GET', path(check, id), 'getRun']] : []),
			[row.method, path(row, id), row.calls],
		]);
		expect(env.journal().map(({ method, path, operation }) => [method, path, operation])).toEqual(expected);
	},
);
