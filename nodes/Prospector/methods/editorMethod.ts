import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { toNodeError } from '../messages/nodeErrors';
import { openClient } from '../parameters/credential/connection';
import { type PageUrls, parsePageUrls } from '../parameters/credential/pageUrls';
import type { Dependencies } from '../transport/dependencies';
import type { Client } from '../transport/request/client';
import { CREDENTIAL } from '../transport/request/n8nClient';

/** A person is waiting. */
const EDITOR_TIMEOUTS = { timeout: 20_000, maxWait: 10_000 };

/** What a method of the editor may use. */
export interface Editor {
	client: Client;
	pageUrls: PageUrls;
	/** Returns a parameter of the node as it is in the editor. */
	currentParameter(name: string): unknown;
}

/** Returns a method as n8n's editor calls it, which throws NodeApiError or NodeOperationError. */
export const editorMethod = <Arguments extends unknown[], Result>(
	dependencies: Dependencies,
	method: (editor: Editor, ...args: Arguments) => Promise<Result>,
) =>
	async function (this: ILoadOptionsFunctions, ...args: Arguments): Promise<Result> {
		try {
			const credential = await this.getCredentials(CREDENTIAL);
			const editor = {
				client: openClient(this, credential, EDITOR_TIMEOUTS, dependencies),
				pageUrls: parsePageUrls(credential).pageUrls,
				currentParameter: (name: string) => this.getCurrentNodeParameter(name),
			};
			return await method(editor, ...args);
		} catch (thrown) {
			throw toNodeError(this.getNode(), thrown, 'node');
		}
	};
