import { readdirSync, readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { INode } from 'n8n-workflow';
import { exampleFiles, LEFT_EMPTY, PLACEHOLDERS, readExample, readPage, STICKY_NOTE } from './examples';
import { startWorkflowValidator, type WorkflowValidator } from '../workflowValidator';

const wholeN8nTests = readdirSync('test/e2e/templates')
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => readFileSync(`test/e2e/templates/${file}`, 'utf8'))
	.join('\n');

const INCLUDE_EXISTING =
	"To write older results too, turn on 'Include Existing' before the first activation.";

let validator: WorkflowValidator;
beforeAll(async () => {
	validator = await startWorkflowValidator();
});

const NUMBERS = 'zero one two three four five six seven eight'.split(' ');
/** What the name of a Schedule Trigger says, by the days of the week. */
const DAYS: Record<string, RegExp> = { '1': /Monday/, '1,2,3,4,5': /weekday/, '': /morning|night/ };
interface Schedule {
	pollTimes?: { item: Array<{ value: number; unit: string }> };
	rule?: { interval: Array<{ triggerAtDay?: number[]; triggerAtHour: number }> };
}

describe.each(exampleFiles)('%s', (file) => {
	const text = readFileSync(`examples/${file}`, 'utf8');
	const { name, nodes, settings } = readExample(file);
	const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
	const working = nodes.filter(({ type }) => type !== STICKY_NOTE);
	const names = nodes.map((node) => node.name);

	test(`the template ${file} has a README section, a name, unique node names and the execution order "v1"`, () => {
		expect(readPage(file)).toContain(`[${file}](${file})`);
		expect(name).toMatch(/^Prospector: /);
		expect(new Set(names).size).toBe(names.length);
		expect(settings).toMatchObject({ executionOrder: 'v1' });
	});

	test(`n8n's AI builder finds no issue in the template ${file} except values that the user must choose`, () => {
		const empty = Object.entries(LEFT_EMPTY[file] ?? {}).flatMap(([node, names]) =>
			names.map((parameter) => `${node}: ${parameter} is empty`),
		);
		expect(validator.findIssues(readExample(file)).sort()).toEqual(empty.sort());
	});

	test(`the template ${file} refers only to existing nodes, has one coloured note, and mentions Include Existing if it gets new results`, () => {
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

	test(`the trigger of the template ${file} is executed at the time that its note or its name says`, () => {
		for (const { name: title, parameters } of working) {
			const { pollTimes, rule } = parameters as Schedule;
			for (const { value, unit } of pollTimes?.item ?? [])
				expect(text).toMatch(new RegExp(`(${value}|${NUMBERS[value]}) ${unit}`));
			for (const { triggerAtDay = [], triggerAtHour } of rule?.interval ?? []) {
				expect(title).toMatch(DAYS[String(triggerAtDay)]);
				expect(title).toMatch(new RegExp(` at ${NUMBERS[triggerAtHour]}$`));
			}
		}
	});

	test(`the template ${file} has a documented placeholder for each credential and contains no IDs, addresses or secrets`, () => {
		for (const node of nodes) {
			for (const [type, credential] of Object.entries(node.credentials ?? {})) {
				expect(credential).toEqual(PLACEHOLDERS[type]);
				if (type !== 'prospectorApi')
					expect(readPage(file)).toContain(credential.name.replace(' account', ''));
			}
		}
		const withoutLink = text.replace(/\[lead-table\.csv\]\(https:[^)]+\)/, '');
		expect(withoutLink).not.toMatch(/wf_|run_[0-9a-f]|https?:\/\/|127\.0\.0\.1|sk-/);
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

	test(`the template ${file} has neither No Operation nor Manual Trigger nodes, is named in an end-to-end test, and saves progress if it starts runs`, () => {
		const types = working.map(({ type }) => type);
		expect(types).not.toContain('n8n-nodes-base.noOp');
		expect(types).not.toContain('n8n-nodes-base.manualTrigger');
		expect(wholeN8nTests).toContain(file);
		// Otherwise, n8n's editor makes conditions strict when somebody opens the node.
		for (const { parameters } of working)
			expect(JSON.stringify(parameters).includes('"loose"')).toBe(parameters.looseTypeValidation === true);
		// A killed execution can be retried only if its progress was saved.
		const starts = ['run', 'runAndGetResults'];
		if (working.some(({ parameters }) => starts.includes(String(parameters.operation))))
			expect(settings?.saveExecutionProgress).toBe(true);
	});
});
