/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
// Compares each place that lists the operations with test/workflow/everyOperation.ts, and names what is missing there.
import { readdirSync, readFileSync } from 'node:fs';
import { resources } from '../../nodes/Prospector/actions/resources';
import { endpoints } from '../../nodes/Prospector/api/endpoints';
import { OPERATIONS } from '../../sandbox/operations';
import { everyOperation, previewedFields, previewOf, type Row } from '../workflow/everyOperation';
import { readPage } from './markdown';

/** Operations without an endpoint of their own. */
const COMBINED = ['workflow/runAndGetResults'];

const pathOf = ({ resource, operation }: Pick<Row, 'resource' | 'operation'>) => `${resource}/${operation}`;
const expected = [...everyOperation.map(pathOf), ...COMBINED].sort();

/** Operations of the editor, in its order. */
const offered = resources.flatMap(({ option: resource, operations }) =>
	operations.map(({ option }) => ({
		path: `${resource.value}/${option.value}`,
		label: `${resource.name}: ${option.name}`,
	})),
);
const rowOf = (path: string) => everyOperation.find((row) => pathOf(row) === path);

/** Returns the paths of all files in the folders of a folder, without the suffix. */
const filesIn = (folder: string, suffix: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(suffix))
		.map((file) => file.slice(0, -suffix.length).replaceAll('\\', '/'))
		.sort();

test.each([
	['actions/resources.ts', offered.map(({ path }) => path).sort()],
	['the folder actions', filesIn('nodes/Prospector/actions', '.operation.ts')],
	['the folder __schema__', filesIn('nodes/Prospector/__schema__/v1.0.0', '.json')],
])('%s and test/workflow/everyOperation.ts have the same operations', (_, paths) => {
	expect(paths).toEqual(expected);
});

test('the output preview of every operation shows the request ID', () => {
	expect(expected.filter((path) => !previewedFields(path).includes('request_id'))).toEqual([]);
});

test('the output preview of Run and Get Results is that of the results', () => {
	expect(previewOf('workflow/runAndGetResults')).toEqual(previewOf('result/getAll'));
});

test('the placeholder of Fields to Return names only fields that the operation returns', () => {
	const unknown = resources.flatMap(({ option: resource, operations }) =>
		operations.flatMap(({ option, parameters: { fieldSelection } }) => {
			const path = `${resource.value}/${option.value}`;
			const fields = [...(fieldSelection?.fields ?? []), ...(fieldSelection?.options ?? [])];
			const examples = fields.flatMap(
				({ placeholder = '' }) => /^e\.g\. (.*)$/.exec(placeholder)?.[1].split(', ') ?? [],
			);
			const names = previewedFields(path);
			return examples.filter((name) => !names.includes(name)).map((name) => `${path}: ${name}`);
		}),
	);
	expect(unknown).toEqual([]);
});

test('api/endpoints.ts has every endpoint and nothing that no operation uses', () => {
	const toText = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/, 'ID')}`;
	const texts = Object.values(endpoints).map(({ method, path }) => toText(method, path));
	expect(texts.sort()).toEqual(everyOperation.map(({ method, path }) => toText(method, path)).sort());
});

/** Those in section 4 of the contract. */
const operationEndpoints = Object.values(endpoints).filter(({ section }) => section.startsWith('4'));

test('docs/contract.md has the rows of api/endpoints.ts in the same order', async () => {
	const rows = (await readPage('docs/contract.md')).rowsOf('#');
	const documented = rows.map(([number, method, path, scope, sends, returns]) => [
		...[`4, operation ${number}`, method, path, scope],
		...[sends.includes('Idempotency-Key'), returns.startsWith('a page of ')],
	]);
	const known = operationEndpoints.map(({ section, method, path, scope, creates, returns }) => [
		...[section, method, path.replace('/prospector', ''), scope],
		...[creates !== undefined, returns === 'list'],
	]);
	expect(documented).toEqual(known);
});

test('docs/contract.md names the operations that each scope permits', async () => {
	const rows = (await readPage('docs/contract.md')).rowsOf('scope');
	const permitted = rows.map(([scope, permits]) => [scope, permits.match(/\d+/g) ?? []]);
	const known = rows.map(([scope]) => [
		scope,
		operationEndpoints.filter((one) => one.scope === scope).map(({ section }) => section.split(' ').at(-1)),
	]);
	expect(permitted).toEqual(known);
});

test('the sandbox serves every operation', () => {
	const served = OPERATIONS.map(({ path, ...operation }) => ({
		...operation,
		path: path.replace(/:\w+/, 'ID'),
		perform: undefined,
	}));
	const rows = everyOperation.map(({ calls, method, path, scope, body, keyed }) => ({
		...{ name: calls, method, path, scope, body, idempotent: keyed },
		write: method === 'GET' ? undefined : true,
	}));
	const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
	expect(served.map(({ name }) => name).sort()).toEqual(rows.map(({ name }) => name).sort());
	expect(served.sort(byName)).toEqual(rows.sort(byName));
});

test('the README lists every operation with its path and scope, in the order of the editor', async () => {
	const rows = (await readPage('README.md')).rowsOf('operation');
	expect(rows.map(([label]) => label)).toEqual(offered.map(({ label }) => label));
	const documented = rows.filter((_, index) => !COMBINED.includes(offered[index].path));
	const described = offered.flatMap(({ path, label }) => {
		const row = rowOf(path);
		if (row === undefined) return [];
		const shownPath = row.path.replace('/prospector', '').replace('ID', '{id}');
		return [[label, `${row.method} ${shownPath}`, row.scope]];
	});
	expect(documented).toEqual(described);
});

describe('llms.txt', () => {
	const lines = readFileSync('llms.txt', 'utf8').split('\n');
	/** Returns the line of the list that mentions a parameter first. */
	const lineAbout = (parameter: string) =>
		lines.find((line) => line.startsWith('- ') && line.includes(`\`${parameter}`)) ?? '';
	const codeIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	/** Returns the paths of the operations in a text such as "`run` › `get`". */
	const pathsIn = (text: string) =>
		[...text.matchAll(/`(\w+)` › `(\w+)`/g)].map(([, ...names]) => names.join('/'));
	const operationsWith = (isMeant: (row: Row) => unknown) =>
		everyOperation.filter(isMeant).map(pathOf).sort();

	test('llms.txt lists every operation in the order of the editor', () => {
		const listed = lineAbout('resource` and `operation')
			.replace(/^.*?: /, '')
			.split('; ')
			.flatMap((part) => {
				const [resource, ...operations] = codeIn(part);
				return operations.map((operation) => `${resource}/${operation}`);
			});
		expect(listed).toEqual(offered.map(({ path }) => path));
	});

	test('llms.txt names every operation that takes the ID of a run', () => {
		const [, list = ''] = /`runId` \(([^)]+)\)/.exec(lineAbout('workflowId')) ?? [];
		expect(pathsIn(list).sort()).toEqual(operationsWith(({ id }) => id === 'runId'));
	});

	test('llms.txt names every operation that takes the ID of a Prospector workflow', () => {
		const [, without, more] =
			/`workflowId` \(all of `workflow` but (.+?), and (.+?)\)/.exec(lineAbout('workflowId')) ?? [];
		const named = [
			...expected.filter((path) => path.startsWith('workflow/') && !codeIn(without).includes(path.slice(9))),
			...pathsIn(more),
		];
		expect(named.sort()).toEqual([...operationsWith(({ id }) => id === 'workflowId'), ...COMBINED].sort());
	});

	test.each<[string, string, (row: Row) => unknown, string[]]>([
		['a request body', 'enterValues', ({ body }) => body, []],
		['an idempotency key', 'options.preventDuplicates', ({ keyed }) => keyed, COMBINED],
	])('llms.txt names every operation that sends %s', (_, parameter, isMeant, combined) => {
		const line = lines.find((text) => text.includes(parameter)) ?? '';
		const operations = [...operationsWith(isMeant), ...combined].map((path) => path.split('/')[1]);
		expect(codeIn(line.split(':')[0]).sort()).toEqual(operations.sort());
	});
});
