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
import { resolve } from 'node:path'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

/** Loads the node and credential types of built packages with n8n's own loader. */
export class NodeTypes implements INodeTypes {
	private readonly extra = new Map<string, INodeType>();

	private constructor(private readonly loaders: PackageDirectoryLoader[]) {}

	/**
	 * @param directories contain a package.json with an `n8n` section. Nodes of packages with n8n's index of nodes are
	 * loaded lazily.
	 * @throws if a file of that section is missing or can't be loaded
	 */
	static async load(...directories: string[]): Promise<NodeTypes> {
		const loaders = directories.map((directory) => new LazyPackageDirectoryLoader(resolve(directory)));
		for (const loader of loaders) await loader.loadAll();
		return new NodeTypes(loaders);
	}

	/** Adds a node type, such as one for a test. It replaces that of a package. */
	add(name: string, type: INodeType): this {
		this.extra.set(name, type);
		return this;
	}

	getByName(name: string): INodeType | IVersionedNodeType {
		return this.extra.get(name) ?? this.fromPackage(name);
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		const isTool = name.endsWith('Tool') && !this.isKnown(name);
		const type = this.getByName(isTool ? name.slice(0, -'Tool'.length) : name);
		const versionedType = NodeHelpers.getVersionedNodeType(type, version);
		return isTool ? asTool(versionedType, name) : versionedType;
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	/** @throws if no package has this credential type */
	credentialType(name: string): ICredentialType {
		const loader = this.loaders.find(({ known }) => name in known.credentials) ?? this.loaders[0];
		return loader.getCredential(name).type;
	}

	private isKnown(name: string): boolean {
		if (this.extra.has(name)) return true;
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
 * Derives an AI agent's tool from a node, as n8n's server does: the same code with other connections and two fields that
 * describe the tool. (n8n's own code for this is in no package that can be imported.)
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
