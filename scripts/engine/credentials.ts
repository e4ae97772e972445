import { Container } from '@n8n/di';
import * as core from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';
import type { NodeTypes } from './nodeTypes';

/** Stores encrypted credentials, as n8n does, but in memory. */
export class CredentialStore extends ICredentialsHelper {
	private readonly stored = new Map<string, core.Credentials>();

	constructor(private readonly nodeTypes: NodeTypes) {
		super();
		installEncryptionKey();
	}

	/** Returns the reference for a node's `credentials`. */
	async add(name: string, type: string, data: ICredentialDataDecryptedObject) {
		const credentials = new core.Credentials({ id: name, name }, type);
		await credentials.setData(data);
		this.stored.set(name, credentials);
		return { [type]: { id: name, name } };
	}

	async getCredentials({ id }: INodeCredentialsDetails, type: string): Promise<core.Credentials> {
		const found = this.stored.get(id ?? '');
		if (found?.type !== type) throw new Error(`There is no credential '${id}' of type '${type}'`);
		return found;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		reference: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const defaults = this.getCredentialsProperties(type).map(({ name, default: value }) => [name, value]);
		const data = await (await this.getCredentials(reference, type)).getData();
		return { ...(Object.fromEntries(defaults) as ICredentialDataDecryptedObject), ...data };
	}

	/** Evaluates the expressions of a generic `authenticate`, as n8n does. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow: Workflow,
		node: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.nodeTypes.credentialType(type);
		const options = request as IHttpRequestOptions;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		const headers = Object.entries(authenticate?.properties.headers ?? {}).map(([name, expression]) => [
			name,
			workflow.expression.getSimpleParameterValue(
				node,
				expression as string,
				'internal',
				{ $credentials: credentials },
				undefined,
				'',
			),
		]);
		options.headers = { ...options.headers, ...(Object.fromEntries(headers) as IDataObject) };
		return options;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.nodeTypes.credentialType(type).properties;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}
}

/** In n8n 2, the server provides the encryption key; n8n 1 doesn't need one. */
function installEncryptionKey() {
	if (!('EncryptionKeyProxy' in core)) return;
	const { encryptionKey } = Container.get(core.InstanceSettings);
	const key = {
		id: 'only',
		algorithm: 'aes-256-cbc',
		format: 'no-prefix',
		value: Container.get(core.Cipher).encryptDEKWithInstanceKey(encryptionKey),
	} as const;
	Container.get(core.EncryptionKeyProxy).setProvider({
		getActiveKey: async () => key,
		getLegacyKey: async () => key,
		getKeyById: async () => null,
	});
}
