import { readFileSync } from 'node:fs';
import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import type { NodeTypes } from '../../engine';
import { exampleFiles, PLACEHOLDERS, readExample, readPage, STICKY_NOTE } from './examples';
import { loadNodeTypes } from './support';

let nodeTypes: NodeTypes;
beforeAll(async () => {
	nodeTypes = await loadNodeTypes();
});

const describeNode = ({ type, typeVersion }: INode) =>
	nodeTypes.getByNameAndVersion(type, typeVersion).description;

test('no node is in two examples', () => {
	const ids = exampleFiles.flatMap((file) => readExample(file).nodes.map(({ id }) => id));
	expect(new Set(ids).size).toBe(ids.length);
});

describe.each(exampleFiles)('%s', (file) => {
	const text = readFileSync(`examples/${file}`, 'utf8');
	const { name, nodes, connections, settings } = readExample(file);
	const working = nodes.filter(({ type }) => type !== STICKY_NOTE);
	const names = nodes.map((node) => node.name);

	test('has its page', () => {
		expect(readPage(file)).toContain(`[${file}](${file})`);
	});

	test('has a name, nodes with names and ids of their own, and n8n’s present order of execution', () => {
		expect(name).toMatch(/^Prospector: /);
		expect(new Set(names).size).toBe(names.length);
		nodes.forEach(({ id }) => expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
		expect(settings).toMatchObject({ executionOrder: 'v1' });
	});

	test.each(nodes.map((node) => [node.name, node] as const))('%s is of a version that n8n has', (_, node) => {
		const versions = [describeNode(node).version].flat();
		expect(versions).toContain(node.typeVersion);
	});

	test.each(nodes.map((node) => [node.name, node] as const))('%s has only known parameters', (_, node) => {
		const { properties } = describeNode(node);
		const known = NodeHelpers.getNodeParameters(
			properties,
			node.parameters,
			true,
			false,
			node,
			describeNode(node),
		) as INodeParameters;
		expect(unknownIn(node.parameters, known)).toEqual([]);
		expect(NodeHelpers.getNodeParametersIssues(properties, node, describeNode(node))).toBeNull();
	});

	test('everything that works is connected, to nodes that are there, and only triggers begin', () => {
		const reached = new Set<string>();
		// Tools and models of an agent lead to it in connections of their own kinds.
		const helpers = new Set<string>();
		for (const [from, kinds] of Object.entries(connections)) {
			expect(names).toContain(from);
			for (const [kind, outputs] of Object.entries(kinds)) {
				if (kind !== 'main') helpers.add(from);
				for (const to of outputs.flat()) {
					expect(names).toContain(to?.node);
					reached.add(to!.node);
				}
			}
		}
		const triggers = working.filter((node) => describeNode(node).group.includes('trigger'));
		expect(triggers.length).toBeGreaterThan(0);
		const begins = working.filter((node) => !reached.has(node.name) && !helpers.has(node.name));
		expect(begins.map((node) => node.name)).toEqual(triggers.map((node) => node.name));
	});

	test('expressions and code name only nodes that are there', () => {
		for (const [, named] of text.matchAll(/\$\('((?:[^'\\]|\\.)+)'\)/g)) expect(names).toContain(named);
	});

	test('notes name only nodes that are there, and options that the editor shows', () => {
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		if (file !== 'run-and-collect.json') expect(notes.length).toBeGreaterThan(0);
		const others = ['Workflow menu → Settings', 'Settings', 'Retry On Fail', 'Clear Deduplication History'];
		for (const { parameters } of notes) {
			for (const [, named] of String(parameters.content).matchAll(/(?<![\w`])_([A-Z][^_\n]*)_(?!\w)/g)) {
				if (/ › |…|not$/.test(named)) continue;
				expect([...names, ...others]).toContain(named);
			}
		}
	});

	test('credentials are placeholders that its page names, wherever a node needs one', () => {
		for (const node of nodes) {
			const description = describeNode(node);
			const takes = (description.credentials ?? []).filter((credential) =>
				NodeHelpers.displayParameter(node.parameters, credential, node, description),
			);
			const namesOf = (credentials: typeof takes) => credentials.map((credential) => credential.name);
			const given = Object.keys(node.credentials ?? {});
			expect(namesOf(takes)).toEqual(expect.arrayContaining(given));
			expect(given).toEqual(expect.arrayContaining(namesOf(takes.filter(({ required }) => required))));
			for (const [type, credential] of Object.entries(node.credentials ?? {})) {
				expect(credential).toEqual(PLACEHOLDERS[type]);
				if (type !== 'prospectorApi')
					expect(readPage(file)).toContain(credential.name.replace(' account', ''));
			}
		}
		expect(text).not.toMatch(/wf_|run_[0-9a-f]|https?:\/\//);
	});

	test('no two nodes lie on each other', () => {
		const places = working.map(({ position }) => position.join());
		expect(new Set(places).size).toBe(places.length);
		working.forEach(({ position: [x] }) => expect(x % 220).toBe(0));
	});

	test('no note covers a node, or another note', () => {
		const boxOf = ({ type, position: [x, y], parameters }: INode) =>
			type === STICKY_NOTE
				? { x, y, width: parameters.width as number, height: parameters.height as number }
				: // With its name below.
					{ x, y, width: 100, height: 150 };
		for (const note of nodes.filter(({ type }) => type === STICKY_NOTE)) {
			for (const other of nodes) {
				if (other === note) continue;
				const [a, b] = [boxOf(note), boxOf(other)];
				const apart =
					a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
				expect(apart || `${note.name} is on ${other.name}`).toBe(true);
			}
		}
	});

	test('a note shows all of its text', () => {
		for (const { type, parameters } of nodes) {
			if (type !== STICKY_NOTE) continue;
			const perLine = ((parameters.width as number) - 40) / 7;
			const lines = String(parameters.content)
				.split('\n')
				.reduce((sum, line) => sum + (line ? Math.ceil(line.length / perLine) : 0.5), 1);
			expect(lines * 21 + 20).toBeLessThanOrEqual(parameters.height as number);
		}
	});

	test('whoever starts runs can retry a killed execution', () => {
		const starts = working.some(({ parameters }) => parameters.operation === 'run');
		if (starts) expect(settings?.saveExecutionProgress).toBe(true);
	});
});

/** Paths of what n8n would drop, since the node has no such field. */
function unknownIn(given: INodeParameters, known: INodeParameters, path = ''): string[] {
	return Object.entries(given).flatMap(([key, value]) => {
		if (!known || !(key in known)) return [`${path}${key}`];
		const inside = value !== null && typeof value === 'object' && !Array.isArray(value) && !('__rl' in value);
		return inside ? unknownIn(value as INodeParameters, known[key] as INodeParameters, `${path}${key}.`) : [];
	});
}
