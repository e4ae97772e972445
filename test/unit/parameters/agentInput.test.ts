import type { INodeProperties } from 'n8n-workflow';
import { Prospector } from '../../../nodes/Prospector/Prospector.node';
import { executeNode, itemResponse, listResponse } from '../helpers/support';

/** Two values that a language model may send for a field: one that works, and one that is rejected. */
type Sent = [works: unknown, rejected: unknown];

const byType: Record<string, Sent> = {
	boolean: [' TRUE ', 'maybe'],
	number: [' 7 ', '7 items'],
	resourceLocator: ['{"id":"x_1"}', { id: 'x_1', name: 'A' }],
	json: ['```json\n{"name":"A"}\n```', 'name: A'],
	resourceMapper: ['{"name":"A"}', ['name']],
	fixedCollection: ['[{"name":"a","value":1}]', { industry: 'Freight' }],
};
const WORDS: Sent = ['["done"]', [{ status: 'done' }]];
const byName: Record<string, Sent> = {
	finishedStatuses: WORDS,
	failedStatuses: ['["failed"]', [{ status: 'failed' }]],
	outputFields: WORDS,
	idempotencyKey: [7, ['x']],
	idempotencyKeyMode: ['none', 'Automatic '],
	startCursor: ['c_1', { cursor: 'c_1' }],
};

interface Row {
	operation: string;
	label: string;
	field: INodeProperties;
	isOption: boolean;
}

/** Every field and every option of every operation. */
const rows = new Prospector().description.properties.flatMap((property): Row[] => {
	const { resource, operation } = property.displayOptions?.show ?? {};
	if (!resource || !operation || property.name === 'specifyBody') return [];
	const isOption = property.type === 'collection';
	return (isOption ? (property.options as INodeProperties[]) : [property]).map((field) => ({
		operation: `${String(resource)}.${String(operation)}`,
		label: field.displayName,
		field,
		isOption,
	}));
});

async function send({ operation, field: { name, type }, isOption }: Row, value: unknown) {
	const { message, description, urls } = await executeNode({
		operation,
		parameters: {
			workflowId: 'wf_1',
			runId: 'run_1',
			specifyBody: type === 'json' ? 'json' : 'fields',
			// Only a wait reads these options.
			waitForCompletion: ['failedStatuses', 'finishedStatuses', 'returnResults'].includes(name),
			options: { maxWait: 1, ...(isOption && { [name]: value }) },
			...(!isOption && { [name]: value }),
		},
		answers: [
			({ url, method }) =>
				method === 'GET' && /\/(?:workflows|runs|results)$/.test(url)
					? listResponse([])
					: itemResponse({ id: 'run_1', status: 'done' }),
		],
	});
	return { message, description, urls };
}

test.each(rows)("$operation reads '$label' from what an agent sends", async (row) => {
	const [works, rejected] = byName[row.field.name] ?? byType[row.field.type];

	const accepted = await send(row, works);
	expect(accepted.message).toBeUndefined();
	expect(accepted.urls.length).toBeGreaterThan(0);
	if (row.field.type === 'resourceLocator') expect(accepted.urls[0]).toMatch(/\/x_1(?:\/|$)/);

	const { message, description, urls } = await send(row, rejected);
	expect(urls).toEqual([]);
	expect(message).toContain(`'${row.label}'`);
	expect(description).toMatch(/[A-Z].{10}/);
});
