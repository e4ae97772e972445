/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { orchestrateGeneration, setSchemaBaseDirs, validateWorkflow } from '@n8n/workflow-sdk';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INode, INodeParameters, INodeTypeDescription, INodeTypes } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { NodeTypes, type WorkflowFile } from '../scripts/engine';

const N8N_PACKAGES = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];
const builtFolder = (name: string) => resolve(`test/n8n/node_modules/${name}/dist`);

/** Descriptions of n8n's own nodes, by name and version. Loading the nodes would take many more packages. */
const n8nDescriptions = new Map<string, INodeTypeDescription>(
	N8N_PACKAGES.flatMap((name) => {
		const json = readFileSync(join(builtFolder(name), 'types/nodes.json'), 'utf8');
		return (JSON.parse(json) as INodeTypeDescription[]).flatMap((node) =>
			[node.version].flat().map((version) => [`${name}.${node.name} ${version}`, node] as const),
		);
	}),
);

/** Prepares the validator of n8n's AI builder, which reads what n8n generates from the descriptions of the nodes. */
export async function startWorkflowValidator() {
	const nodeTypes = await NodeTypes.load('.');

	/** @throws if n8n has no such node, or not in this version */
	function describeNode(type: string, typeVersion = 1): INodeTypeDescription {
		const isOwn = type.startsWith('n8n-nodes-prospector.');
		const description = isOwn
			? nodeTypes.getByNameAndVersion(type).description
			: n8nDescriptions.get(`${type} ${typeVersion}`);
		if (![description?.version].flat().includes(typeVersion) || !description)
			throw new Error(`n8n has no version ${typeVersion} of ${type}`);
		return description;
	}

	const names = ['prospector', 'prospectorTrigger'].map((name) => `n8n-nodes-prospector.${name}`);
	const nodes = names.map((name) => ({ ...describeNode(name), name })) as never;
	// Deleted at the end of the process.
	const outputDir = join(process.env.N8N_USER_FOLDER!, 'node-definitions');
	await orchestrateGeneration({ nodes, outputDir });
	setSchemaBaseDirs([outputDir, ...N8N_PACKAGES.map((name) => join(builtFolder(name), 'node-definitions'))]);
	const nodeTypesProvider = {
		getByNameAndVersion: (...node) => ({ description: describeNode(...node) }),
	} as INodeTypes;

	/** Returns what n8n would drop, refuse or ask the user for. */
	function nodeIssues(node: INode): string[] {
		const description = describeNode(node.type, node.typeVersion);
		const { properties, credentials = [] } = description;
		const context = [node, description] as const;
		const known = NodeHelpers.getNodeParameters(properties, node.parameters, true, false, ...context)!;
		const loaded = { ...node, parameters: known };
		const issues = NodeHelpers.getNodeParametersIssues(properties, loaded, description);
		const accepted = credentials.filter((one) => NodeHelpers.displayParameter(known, one, ...context));
		const given = Object.keys(node.credentials ?? {});
		return [
			...unknownParameters(node.parameters, known).map((path) => `${path} is unknown or hidden`),
			...Object.keys(issues?.parameters ?? {}).map((name) => `${name} is empty`),
			...accepted
				.filter((one) => one.required && !given.includes(one.name))
				.map(({ name }) => `${name} is missing`),
			...given
				.filter((name) => !accepted.some((one) => one.name === name))
				.map((name) => `${name} is not used`),
		].map((issue) => `${node.name}: ${issue}`);
	}

	return {
		describeNode,
		findIssues(file: WorkflowFile): string[] {
			const { errors, warnings } = validateWorkflow(file as never, { nodeTypesProvider });
			const targets = Object.values(file.connections).flatMap((kinds) => Object.values(kinds).flat(2));
			const connected = [...Object.keys(file.connections), ...targets.map((target) => target?.node)];
			const missing = connected.filter((name) => !file.nodes.some((node) => node.name === name));
			return [
				...[...errors, ...warnings].map(({ message }) => message),
				...missing.map((name) => `There is no node ${name}`),
				...file.nodes.flatMap(nodeIssues),
			];
		},
	};
}

export type WorkflowValidator = Awaited<ReturnType<typeof startWorkflowValidator>>;

/** @param known the parameters as n8n loads them: without those that the node does not show */
function unknownParameters(given: INodeParameters, known: INodeParameters, path = ''): string[] {
	return Object.entries(given).flatMap(([key, value]) => {
		if (!known || !(key in known)) return [`${path}${key}`];
		if (value === null || typeof value !== 'object' || '__rl' in value) return [];
		return unknownParameters(value as INodeParameters, known[key] as INodeParameters, `${path}${key}.`);
	});
}
