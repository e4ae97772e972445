import { LazyPackageDirectoryLoader, type PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialType,
	IDataObject,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import { resolve } from 'node:path';

/** The node and credential types of built packages, found through their package.json as n8n finds them. */
export class NodeTypes implements INodeTypes {
	private readonly extra = new Map<string, INodeType>();

	private constructor(private readonly loaders: PackageDirectoryLoader[]) {}

	/**
	 * @param directories each holds a package.json with an `n8n` section whose files are built; where a package brings
	 * n8n's index of its nodes, a node is loaded when it is first asked for
	 * @throws when one of those files is missing or cannot be loaded
	 */
	static async load(...directories: string[]): Promise<NodeTypes> {
		const loaders = directories.map((directory) => new LazyPackageDirectoryLoader(resolve(directory)));
		for (const loader of loaders) await loader.loadAll();
		return new NodeTypes(loaders);
	}

	/** Adds a node type that belongs to no package, such as a loop made for a test. */
	add(name: string, type: INodeType): this {
		this.extra.set(name, type);
		return this;
	}

	getByName(name: string): INodeType | IVersionedNodeType {
		return this.extra.get(name) ?? this.fromPackage(name);
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		const extra = this.extra.get(name);
		if (extra) return extra;
		if (this.isKnown(name) || !name.endsWith('Tool')) {
			return NodeHelpers.getVersionedNodeType(this.fromPackage(name), version);
		}
		return asTool(
			NodeHelpers.getVersionedNodeType(this.fromPackage(name.slice(0, -'Tool'.length)), version),
			name,
		);
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	/** @throws when no package has such a credential type */
	credentialType(name: string): ICredentialType {
		const loader = this.loaders.find(({ known }) => name in known.credentials) ?? this.loaders[0];
		return loader.getCredential(name).type;
	}

	private isKnown(name: string): boolean {
		const found = this.find(name);
		return found !== undefined && found.name in found.loader.known.nodes;
	}

	private fromPackage(name: string): INodeType | IVersionedNodeType {
		const found = this.find(name);
		if (!found) throw new Error(`No package with a node type '${name}' is loaded`);
		return found.loader.getNode(found.name).type;
	}

	private find(fullName: string) {
		const loader = this.loaders.find(({ packageName }) => fullName.startsWith(`${packageName}.`));
		return loader && { loader, name: fullName.slice(loader.packageName.length + 1) };
	}
}

/**
 * n8n's server derives the tool that an AI agent calls from the node itself: same code, other connections, and the two
 * fields in which a person describes the tool. (That part of n8n is in none of the packages that can be imported.)
 */
function asTool(type: INodeType, name: string): INodeType {
	if (!type.description.usableAsTool) throw new Error(`Node type '${name}' cannot be used as a tool`);
	const description: INodeTypeDescription = {
		...type.description,
		name,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		properties: [...toolFields(type.description.description), ...type.description.properties],
	};
	return Object.create(type, { description: { value: description } }) as INodeType;
}

const toolFields = (nodeDescription: string): INodeProperties[] => [
	{
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	},
	{
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: nodeDescription,
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];
