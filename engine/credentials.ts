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

/** Credentials as n8n keeps them, encrypted, but in memory. */
export class CredentialStore extends ICredentialsHelper {
	private readonly stored = new Map<string, core.Credentials>();

	constructor(private readonly nodeTypes: NodeTypes) {
		super();
		useOneEncryptionKey();
	}

	/** @returns the reference that a node of a workflow carries */
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

	/** What n8n does for a generic `authenticate`: every entry is an expression over the credential. */
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

/** n8n 2 encrypts with a key that its server provides; n8n 1 needs none. */
function useOneEncryptionKey() {
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
