// Gives the editor's methods a client, and turns what they throw into n8n's errors. Wraps each method of both nodes.
// Tests: test/unit/methods/listSearch.test.ts.
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ENTER_BY_HAND } from '../messages/advice';
import { toNodeError } from '../messages/nodeErrors';
import { Redactor } from '../messages/redact';
import { throwUserError } from '../messages/userMessage';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import type { Dependencies } from '../transport/dependencies';
import { type Client, MAX_RESOURCE_BYTES } from '../transport/request/client';

/** Short and small, because a person is waiting. */
const EDITOR_SETTINGS = { timeoutMs: 20_000, retryForMs: 10_000, maxListBytes: MAX_RESOURCE_BYTES };

/** What a method of the editor may use. */
export interface EditorCall {
	client: Client;
	context: ILoadOptionsFunctions;
}

/** @throws UserError for an expression in the credential, which needs an item; what was thrown otherwise */
function rethrowExpressionError(thrown: Error): never {
	if (thrown.name !== 'ExpressionError') throw thrown;
	return throwUserError(
		"The credential has an expression that needs an item, so it can't be tried here",
		ENTER_BY_HAND,
	);
}

/** Returns a method as n8n's editor calls it, which throws NodeApiError or NodeOperationError. */
export const editorMethod = <Arguments extends unknown[], Result>(
	dependencies: Dependencies,
	method: (editor: EditorCall, ...args: Arguments) => Promise<Result>,
) =>
	async function (this: ILoadOptionsFunctions, ...args: Arguments): Promise<Result> {
		const call = { context: this, redactor: new Redactor() };
		try {
			const credential = await this.getCredentials(CREDENTIAL_NAME).catch(rethrowExpressionError);
			const client = openClient(call, credential, EDITOR_SETTINGS, dependencies);
			return await method({ client, context: this }, ...args);
		} catch (thrown) {
			throw toNodeError(call, thrown, 'editor');
		}
	};
