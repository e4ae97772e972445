import type { IDataObject } from 'n8n-workflow';
import { router } from '../../../../nodes/Prospector/actions/router';
import { BASE, CREDENTIAL_DATA, fakeExecution, listResponse, itemResponse } from '../support';

/** What a node is given: its parameters, its credential, and what the service answers. */
export interface NodeInput {
	operation: string;
	parameters?: Record<string, unknown>;
	credential?: Record<string, unknown>;
	answers?: unknown[];
	input?: IDataObject;
}

/** What came of it. Absent fields are not looked at; `message: undefined` says that it went well. */
export interface Outcome {
	message?: unknown;
	description?: unknown;
	urls?: string[];
	queries?: unknown[];
	headers?: unknown[];
	bodies?: unknown[];
	items?: unknown[];
}

export interface HostileCase {
	what: string;
	given: NodeInput;
	expected: Outcome;
	/** Where requests may go. */
	origin?: string;
}

export const API = `${BASE}/api/public/v1/prospector`;

/** Nothing was sent, and this was said. */
export const refused = (message: string): Outcome => ({ message, urls: [] });

/** Executes the node once, from its parameters down to the HTTP request and back. */
export async function executeNode({ operation, parameters, credential, answers, input = {} }: NodeInput) {
	const [resource, name] = operation.split('.');
	const { context, requests } = fakeExecution({
		// Tried once: what is retried is another test's concern.
		parameters: {
			...{ resource, operation: name },
			...(!parameters?.waitForCompletion && { options: { maxWait: 0 } }),
			...parameters,
		} as IDataObject,
		credential: { ...CREDENTIAL_DATA, ...credential } as typeof CREDENTIAL_DATA,
		answers: answers ?? [name === 'getAll' ? listResponse([]) : itemResponse({ id: 'x' })],
		input: [input],
	});
	const outcome: Required<Outcome> = {
		message: undefined,
		description: undefined,
		items: [],
		urls: [],
		queries: [],
		headers: [],
		bodies: [],
	};
	try {
		outcome.items = (await router(context)).map(({ json }) => json);
	} catch (thrown) {
		outcome.message = (thrown as Error).message;
		outcome.description = (thrown as { description?: unknown }).description;
	}
	outcome.urls = requests.map(({ url }) => new URL(url).href);
	outcome.queries = requests.map(({ qs }) => qs);
	outcome.headers = requests.map(({ headers }) => headers);
	outcome.bodies = requests.map(({ body }) => body);
	return { outcome, requests };
}
