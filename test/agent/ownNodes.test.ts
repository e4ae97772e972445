import { NodeTypes } from '../../engine';

const N8N_NODES = 'test/n8n/node_modules';

let nodeTypes: NodeTypes;
beforeAll(async () => {
	nodeTypes = await NodeTypes.load(
		'.',
		`${N8N_NODES}/n8n-nodes-base`,
		`${N8N_NODES}/@n8n/n8n-nodes-langchain`,
	);
});

/** What test/n8n leaves out must be missed by none of the nodes that examples and tests are made of. */
test.each([
	...['code', 'errorTrigger', 'executeWorkflow', 'executeWorkflowTrigger', 'filter', 'httpRequest', 'if'],
	...['manualTrigger', 'noOp', 'removeDuplicates', 'scheduleTrigger', 'set', 'splitInBatches', 'splitOut'],
	...['stopAndError', 'wait'],
])("n8n's own node '%s' loads", (name) => {
	expect(nodeTypes.getByNameAndVersion(`n8n-nodes-base.${name}`).description.displayName).toBeTruthy();
});

test.each(['agent', 'chatTrigger', 'lmChatOpenAi', 'memoryBufferWindow'])(
	"n8n's own AI node '%s' loads",
	(name) => {
		const type = nodeTypes.getByNameAndVersion(`@n8n/n8n-nodes-langchain.${name}`);
		expect(type.description.displayName).toBeTruthy();
	},
);

test('a tool is derived from a node that allows it, and an own node of such a name is left as it is', () => {
	const tool = nodeTypes.getByNameAndVersion('n8n-nodes-prospector.prospectorTool').description;
	expect(tool).toMatchObject({ outputs: ['ai_tool'], inputs: [] });
	expect(tool.properties.slice(0, 2).map(({ name }) => name)).toEqual(['descriptionType', 'toolDescription']);
	expect(
		nodeTypes.getByNameAndVersion('@n8n/n8n-nodes-langchain.agentTool').description.displayName,
	).toContain('Agent');
	expect(() => nodeTypes.getByNameAndVersion('n8n-nodes-base.noOpTool')).toThrow('cannot be used as a tool');
	expect(() => nodeTypes.getByNameAndVersion('n8n-nodes-other.thing')).toThrow('No package with a node type');
});

test('credential types are found in whichever package has them', () => {
	expect(nodeTypes.credentialType('openAiApi').displayName).toBe('OpenAI');
	expect(nodeTypes.credentialType('prospectorApi').displayName).toBe('Prospector API');
	expect(() => nodeTypes.credentialType('nowhereApi')).toThrow();
});
