import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { openClient } from '../parameters/credential/connection';
import { ItemBatch } from '../parameters/readParameters';
import type { Dependencies } from '../transport/dependencies';
import type { Client, RequestSettings } from '../transport/request/client';
import { CREDENTIAL } from '../transport/request/n8nClient';

/** What an item's client depends on. Times in milliseconds. */
interface ClientInput {
	credential: ICredentialDataDecryptedObject;
	timeout: number;
	maxWait: number;
}

/**
 * The clients of the items of one node execution. The credential and the options can contain expressions, but usually
 * they are the same for all items, which then share one client.
 */
export class ItemClients {
	private last?: ClientInput & { client: Client };
	private readonly credentials: ItemBatch<Promise<ICredentialDataDecryptedObject>>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly shared: Pick<RequestSettings, 'queueKey' | 'signal' | 'stats'>,
		private readonly dependencies: Dependencies,
	) {
		this.credentials = new ItemBatch(context.getInputData().length, (itemIndex) =>
			readCredential(context, itemIndex),
		);
	}

	/** @throws UserError, or what n8n throws, when the credential can't be used */
	async get(itemIndex: number, timeout: number, maxWait: number): Promise<Client> {
		const { context, shared, dependencies } = this;
		const credential = await this.credentials.get(itemIndex);
		const input = { credential, timeout, maxWait };
		if (this.last === undefined || !isEqual(input, this.last)) {
			const client = openClient(context, credential, { ...shared, timeout, maxWait }, dependencies);
			this.last = { ...input, client };
		}
		return this.last.client;
	}
}

function readCredential(context: IExecuteFunctions, itemIndex: number) {
	const credential = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
	// The item that this is about may never be processed.
	credential.catch(() => {});
	return credential;
}

function isEqual(a: ClientInput, b: ClientInput): boolean {
	const entries = Object.entries(a.credential);
	const others = Object.entries(b.credential);
	return (
		a.timeout === b.timeout &&
		a.maxWait === b.maxWait &&
		entries.length === others.length &&
		entries.every(([name, value], index) => name === others[index][0] && value === others[index][1])
	);
}
