import { readdirSync, readFileSync } from 'node:fs';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { NodeTypes } from '../../scripts/engine';
import { exampleFiles, LEFT_EMPTY, PLACEHOLDERS, readExample, readPage, STICKY_NOTE } from './examples';
import { unknownParameters } from '../unknownParameters';

const wholeN8nTests = readdirSync('test/e2e/templates')
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => readFileSync(`test/e2e/templates/${file}`, 'utf8'))
	.join('\n');

/** Descriptions of n8n's own nodes, by name and version. Loading the nodes would take many more packages. */
const ownNodes = new Map(
	['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) => {
		const file = `test/n8n/node_modules/${name}/dist/types/nodes.json`;
		const descriptions = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
		return descriptions.flatMap((description) =>
			[description.version].flat().map((version) => {
				const type = `${name}.${description.name} ${version}`;
				return [type, description] as const;
			}),
		);
	}),
);

const INCLUDE_EXISTING =
	"To write older results too, turn on 'Include Existing' before the first activation.";

let nodeTypes: NodeTypes;
beforeAll(async () => {
	nodeTypes = await NodeTypes.load('.');
});

function describeNode({ type, typeVersion }: INode): INodeTypeDescription {
	if (type.startsWith('n8n-nodes-prospector.'))
		return nodeTypes.getByNameAndVersion(type, typeVersion).description;
	const description = ownNodes.get(`${type} ${typeVersion}`);
	if (!description) throw new Error(`n8n has no version ${typeVersion} of ${type}`);
	return description;
}

describe.each(exampleFiles)('%s', (file) => {
	const text = readFileSync(`examples/${file}`, 'utf8');
	const { name, nodes, connections, settings } = readExample(file);
	const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
	const working = nodes.filter(({ type }) => type !== STICKY_NOTE);
	const names = nodes.map((node) => node.name);

	test(`the template ${file} has a README section, a name, unique node names and the execution order "v1"`, () => {
		expect(readPage(file)).toContain(`[${file}](${file})`);
		expect(name).toMatch(/^Prospector: /);
		expect(new Set(names).size).toBe(names.length);
		expect(settings).toMatchObject({ executionOrder: 'v1' });
	});

	test(`the nodes of the template ${file} have only valid parameters except for values that the user must choose`, () => {
		const empty: Record<string, string[]> = {};
		for (const node of nodes) {
			const description = describeNode(node);
			const { properties } = description;
			const known = NodeHelpers.getNodeParameters(
				...([properties, node.parameters, true, false, node, description] as const),
			) as INodeParameters;
			expect([node.name, unknownParameters(node.parameters, known)]).toEqual([node.name, []]);
			const completed = { ...node, parameters: known };
			const issues = NodeHelpers.getNodeParametersIssues(properties, completed, description);
			if (issues) empty[node.name] = Object.keys(issues.parameters ?? {});
		}
		expect(empty).toEqual(LEFT_EMPTY[file] ?? {});
	});

	test(`the template ${file} connects all nodes except notes and begins only with trigger nodes`, () => {
		const reached = new Set<string>();
		// Tools and models lead to an agent in connections of their own kinds.
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

	test(`the template ${file} refers only to existing nodes in expressions, code and notes`, () => {
		for (const [, named] of text.matchAll(/\$\('((?:[^'\\]|\\.)+)'\)/g)) expect(names).toContain(named);
		if (text.includes('"newResult"')) expect(text).toContain(INCLUDE_EXISTING);
		const coloured = notes.filter(({ parameters }) => parameters.color !== undefined);
		expect(coloured.map(({ name: title }) => title)).toEqual(['Note: what to choose']);
		const labels = ['Workflow menu → Settings', 'Settings', 'Retry On Fail'];
		for (const { parameters } of notes) {
			for (const [, named] of String(parameters.content).matchAll(/(?<![\w`])_([A-Z][^_\n]*)_(?!\w)/g)) {
				if (!/ › |…|not$/.test(named)) expect([...names, ...labels]).toContain(named);
			}
		}
	});

	test(`the template ${file} has a documented placeholder for each credential and contains no secrets`, () => {
		for (const node of nodes) {
			const description = describeNode(node);
			const accepted = (description.credentials ?? []).filter((credential) =>
				NodeHelpers.displayParameter(node.parameters, credential, node, description),
			);
			const given = Object.keys(node.credentials ?? {});
			const required = accepted.filter((credential) => credential.required);
			expect(accepted.map((one) => one.name)).toEqual(expect.arrayContaining(given));
			expect(given).toEqual(expect.arrayContaining(required.map((one) => one.name)));
			for (const [type, credential] of Object.entries(node.credentials ?? {})) {
				expect(credential).toEqual(PLACEHOLDERS[type]);
				if (type !== 'prospectorApi')
					expect(readPage(file)).toContain(credential.name.replace(' account', ''));
			}
		}
		expect(text).not.toMatch(/wf_|run_[0-9a-f]|https?:\/\/|127\.0\.0\.1|sk-/);
	});

	test(`the nodes and notes of the template ${file} do not overlap`, () => {
		const boxOf = ({ type, position: [x, y], parameters }: INode) =>
			type === STICKY_NOTE
				? { x, y, width: parameters.width as number, height: parameters.height as number }
				: // Includes the name below.
					{ x, y, width: 100, height: 150 };
		for (const [i, node] of nodes.entries()) {
			for (const other of nodes.slice(i + 1)) {
				const [a, b] = [boxOf(node), boxOf(other)];
				const isApart =
					a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
				expect(isApart || `${node.name} overlaps ${other.name}`).toBe(true);
			}
		}
	});

	test(`the template ${file} has no placeholder nodes, has an end-to-end test and saves progress if it starts runs`, () => {
		const types = working.map(({ type }) => type);
		expect(types).not.toContain('n8n-nodes-base.noOp');
		expect(types).not.toContain('n8n-nodes-base.manualTrigger');
		expect(wholeN8nTests).toContain(file);
		// A killed execution can be retried only if its progress was saved.
		const starts = ['run', 'runAndGetResults'];
		if (working.some(({ parameters }) => starts.includes(String(parameters.operation))))
			expect(settings?.saveExecutionProgress).toBe(true);
	});
});
