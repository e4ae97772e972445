import type { IDataObject, INode } from 'n8n-workflow';
import { startOtherHost } from './otherHost';

/** A system of somebody's own, to which an n8n workflow pushes items one by one; `close()` it in the end. */
export async function startReceiver() {
	let taken: IDataObject[] = [];
	let met = 0;
	let refused: number | undefined;
	const { url, close } = await startOtherHost((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const item = JSON.parse(text) as IDataObject;
			const isRefused = ++met === refused;
			if (!isRefused) taken.push(item);
			response.writeHead(isRefused ? 422 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(isRefused ? { message: 'Refused' } : item));
		});
	});
	return {
		close,
		taken: () => taken,
		ids: () => taken.map(({ id }) => id),
		/** Lets it refuse one item: the first that it meets from now on is number 1. */
		refuse(number: number) {
			met = 0;
			refused = number;
		},
		/** Forgets what it took, and refuses nothing. */
		forget() {
			taken = [];
			refused = undefined;
		},
		/** Puts an HTTP Request node in the place of a placeholder, as a person does who has an API of their own. */
		inPlaceOf(nodes: INode[], name: string, extra: Partial<INode> = {}): void {
			const place = nodes.find((node) => node.name === name);
			Object.assign(place as INode, {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					method: 'POST',
					url,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify($json) }}',
					options: {},
				},
				...extra,
			});
		},
	};
}
