import type { IDataObject, INode, INodeListSearchResult } from 'n8n-workflow';
import { PROSPECTOR } from '../../nodes';
import type { E2e } from '../bench';
import { RestError, type Rest } from '../n8n/rest';

interface Asked {
	methodName: string;
	parameters?: IDataObject;
	credentials?: INode['credentials'];
	type?: string;
	filter?: string;
	paginationToken?: string;
}

type Kind = 'resource-locator-results' | 'resource-mapper-fields' | 'options';

/** What the editor asks n8n for while a person edits a node. */
export async function askEditor<T = INodeListSearchResult>(rest: Rest, kind: Kind, asked: Asked): Promise<T> {
	const { parameters = {}, type = PROSPECTOR, ...others } = asked;
	return await rest.post<T>(`/rest/dynamic-node-parameters/${kind}`, {
		path: 'parameters.field',
		nodeTypeAndVersion: { name: type, version: 1 },
		currentNodeParameters: parameters,
		...others,
	});
}

/** What the editor shows where n8n could not give it anything. */
export async function refusalOf(answer: Promise<unknown>): Promise<string> {
	const refusal = await answer.then(
		() => undefined,
		(error: unknown) => error as RestError,
	);
	if (!(refusal instanceof RestError)) throw new Error('n8n was expected to refuse, and did not');
	return (refusal.body as { message: string }).message;
}

/** Reads on with the tokens that it is given, as a person does who scrolls to the end. */
export async function scroll({ rest, full }: E2e, methodName: string, filter?: string) {
	const all: INodeListSearchResult['results'] = [];
	let paginationToken: string | undefined;
	let answers = 0;
	do {
		const answer = await askEditor(rest, 'resource-locator-results', {
			methodName,
			credentials: full,
			...(filter !== undefined && { filter }),
			...(paginationToken && { paginationToken }),
		});
		all.push(...answer.results);
		paginationToken = answer.paginationToken as string | undefined;
	} while (paginationToken && ++answers < 50);
	return all;
}
