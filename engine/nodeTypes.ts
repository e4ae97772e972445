import { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialType,
	IDataObject,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import { resolve } from 'node:path';

/** The node and credential types of a built package, found through its package.json as n8n finds them. */
export class NodeTypes implements INodeTypes {
	private readonly extra = new Map<string, INodeType>();

	private constructor(private readonly loader: PackageDirectoryLoader) {}

	/**
	 * @param directory holds a package.json with an `n8n` section whose files are built
	 * @throws when one of those files is missing or cannot be loaded
	 */
	static async load(directory: string): Promise<NodeTypes> {
		const loader = new PackageDirectoryLoader(resolve(directory));
		await loader.loadAll();
		return new NodeTypes(loader);
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
		if (!name.endsWith('Tool')) return NodeHelpers.getVersionedNodeType(this.fromPackage(name), version);
		return asTool(
			NodeHelpers.getVersionedNodeType(this.fromPackage(name.slice(0, -'Tool'.length)), version),
			name,
		);
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	/** @throws when the package has no such credential type */
	credentialType(name: string): ICredentialType {
		return this.loader.getCredential(name).type;
	}

	private fromPackage(name: string): INodeType | IVersionedNodeType {
		const prefix = `${this.loader.packageName}.`;
		if (!name.startsWith(prefix)) throw new Error(`No package with a node type '${name}' is loaded`);
		return this.loader.getNode(name.slice(prefix.length)).type;
	}
}

/** n8n derives the tool that an AI agent calls from the node itself: same code, other connections. */
function asTool(type: INodeType, name: string): INodeType {
	if (!type.description.usableAsTool) throw new Error(`Node type '${name}' cannot be used as a tool`);
	const description: INodeTypeDescription = {
		...type.description,
		name,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	return Object.create(type, { description: { value: description } }) as INodeType;
}
