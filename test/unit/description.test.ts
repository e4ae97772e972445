/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	Workflow,
	type INode,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';
import { ProspectorApi } from '../../credentials/ProspectorApi.credentials';
import { Prospector } from '../../nodes/Prospector/Prospector.node';
import { ProspectorTrigger } from '../../nodes/Prospector/ProspectorTrigger.node';
import { NODE } from './helpers/support';

const node = new Prospector();
const trigger = new ProspectorTrigger();
const credential = new ProspectorApi();

/** What the editor shows. To approve a change, run this test with APPROVE=1, and commit the file after a review. */
const APPROVED = join(__dirname, 'approved/descriptions.json');

test.each(['prospector', 'prospectorTrigger', 'prospectorApi'] as const)(
	'the description of %s equals the approved description unless APPROVE=1 is set',
	(name) => {
		const descriptions = {
			prospector: node.description,
			prospectorTrigger: trigger.description,
			prospectorApi: credential,
		};
		if (process.env.APPROVE === '1') {
			writeFileSync(APPROVED, `${JSON.stringify(descriptions, undefined, '\t')}\n`);
		}
		const approved = JSON.parse(readFileSync(APPROVED, 'utf8')) as typeof descriptions;
		expect(JSON.parse(JSON.stringify(descriptions[name]))).toEqual(approved[name]);
	},
);

test('the node and the trigger have exactly the methods that their fields refer to', () => {
	for (const { description, methods } of [node, trigger]) {
		const text = JSON.stringify(description.properties);
		const named = text.matchAll(/"(?:searchListMethod|resourceMapperMethod|loadOptionsMethod)":"(\w+)"/g);
		const { credentialTest, ...lists } = methods;
		const existing = Object.values(lists).flatMap((group) => Object.keys(group));
		expect([...new Set([...named].map(([, name]) => name))].sort()).toEqual(existing.sort());
		expect(Object.keys(credentialTest)).toEqual(description.credentials?.map(({ testedBy }) => testedBy));
	}
});

/** Evaluates the subtitle as n8n does. */
function subtitleFor(parameters: INodeParameters, type: INodeType = node): unknown {
	const shown: INode = { ...NODE, parameters };
	const nodeTypes = { getByNameAndVersion: () => type, getByName: () => type, getKnownTypes: () => ({}) };
	const connected = { connections: {}, active: false, nodeTypes: nodeTypes as INodeTypes };
	const workflow = new Workflow({ nodes: [shown], ...connected });
	return workflow.expression.getSimpleParameterValue(
		shown,
		String(type.description.subtitle),
		'internal',
		{},
	);
}

const PICKED = {
	__rl: true,
	mode: 'list',
	value: 'wf_1',
	cachedResultName: 'Freight, Benelux\u00a0(active)',
};
test.each<[INodeParameters, string]>([
	[{}, 'run and get results'],
	[{ operation: 'run', workflowId: PICKED }, 'run: Freight, Benelux'],
	[{ resource: 'run', operation: 'getAll', workflowId: { ...PICKED, mode: 'id' } }, 'get many runs'],
	[{ resource: 'account', operation: 'getIdentity', workflowId: PICKED }, 'get identity'],
])('n8n turns the parameters %j into the node subtitle "%s"', (parameters, text) => {
	expect(subtitleFor(parameters)).toBe(text);
});

test('the subtitle of the trigger is the name of its event', () => {
	const { options = [] } = trigger.description.properties.find(({ name }) => name === 'event') ?? {};
	const events = options as INodePropertyOptions[];
	const subtitles = events.map(({ value }) => subtitleFor({ event: value }, trigger));
	expect(subtitles).toEqual(events.map(({ name }) => name.toLowerCase()));
});
