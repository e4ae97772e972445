import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../transport/request/client';
import { CREDENTIAL } from '../parameters/credential/connection';
import { n8nClient, type RequestSettings } from '../transport/request/n8nClient';
import { ItemBatch } from '../parameters/itemBatch';
import { readMaxWait } from './fields/maxWait';
import { requestTimeout } from './fields/requestTimeout';

/** What an item's client depends on. */
interface ItemSettings {
	credential: ICredentialDataDecryptedObject;
	timeout: number;
	maxWait: number;
}

/**
 * The clients of the items of one node execution. n8n resolves the expressions in a credential and in the options for
 * each item, but as a rule they are the same for all, and one client serves them.
 */
export class ItemClients {
	private last?: ItemSettings & { client: Client };
	private readonly credentials: ItemBatch<Promise<ICredentialDataDecryptedObject>>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly shared: Pick<RequestSettings, 'queueKey' | 'signal' | 'stats'>,
	) {
		this.credentials = new ItemBatch(context.getInputData().length, (itemIndex) =>
			readCredential(context, itemIndex),
		);
	}

	/** @throws NodeOperationError when the credential or an option cannot be used */
	async get(itemIndex: number): Promise<Client> {
		const { context, shared } = this;
		const credential = await this.credentials.get(itemIndex);
		const timeout = requestTimeout(context, itemIndex);
		const maxWait = readMaxWait(context, itemIndex);
		const settings = { credential, timeout, maxWait };
		if (this.last === undefined || !areSame(settings, this.last)) {
			const client = n8nClient(context, credential, { ...shared, timeout, maxWait });
			this.last = { ...settings, client };
		}
		return this.last.client;
	}
}

function readCredential(context: IExecuteFunctions, itemIndex: number) {
	const credential = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
	// A failure belongs to its item, which may never have its turn.
	credential.catch(() => {});
	return credential;
}

function areSame(a: ItemSettings, b: ItemSettings): boolean {
	const entries = Object.entries(a.credential);
	const others = Object.entries(b.credential);
	return (
		a.timeout === b.timeout &&
		a.maxWait === b.maxWait &&
		entries.length === others.length &&
		entries.every(([name, value], index) => name === others[index][0] && value === others[index][1])
	);
}
