import type { INode } from 'n8n-workflow';
import {
	operationsByTitle as byTitle,
	inputFor,
	parametersFor,
	type Row,
} from '../../workflow/everyOperation';
import { PATIENT, startE2e, type E2e } from '../bench';
import { over } from './branches';

let e2e: E2e;
beforeAll(async () => {
	e2e = await startE2e();
}, PATIENT);
afterAll(async () => await e2e.close());
// The list of Prospector workflows stays on one page.
beforeEach(() => void e2e.control.reset());

/** What was refused, and what to do: word for word what a person reads. */
function words(row: Row, { id = '', requestId = '', key = '' }) {
	const [message, description] = {
		workflowId: [
			`The Prospector workflow '${id}' was not found`,
			"It was deleted, or it belongs to another workspace than the API key. Pick one in 'Workflow' from the list, or give the 'id' of one that Workflow › Get Many returns, not its name.",
		],
		runId: [
			`The run '${id}' was not found`,
			"It belongs to another workspace than the API key, or the ID in 'Run' is not that of a run. A run's ID is the 'id' that Workflow › Run and Run › Get Many return.",
		],
		none: [
			`Nothing was found below 'Base URL' at '/api/public/v1${row.path}'`,
			"Check that 'Base URL' of the credential is the address of the Prospector API.",
		],
	}[row.id ?? 'none'];
	const repeat = row.keyed
		? ` To repeat it in any other way, set 'Idempotency Key' under Options to '${key}'.`
		: '';
	return {
		message: `${message} (request ${requestId}) [Item 1]`,
		description: `${description}${repeat} The service said: "Not found"`,
	};
}

/** Three input items, of which the second is refused for good. */
async function secondIsRefused(row: Row, onError: INode['onError']) {
	const input = inputFor(e2e, row, 3);
	if (row.id) input[1].id = 'no_such_thing';
	e2e.forget();
	if (!row.id) e2e.control.addFault({ kind: 'status', status: 404, skip: 1 });
	// One after the other, so that the second request is that of the second item.
	const options = row.method === 'GET' ? { maxConcurrentRequests: 1 } : {};
	const outcome = await over(e2e, parametersFor(row, undefined, { options }), input, { onError });
	const journal = e2e.control.journal();
	const { requestId, idempotencyKey } = journal[1];
	return {
		...outcome,
		input,
		statuses: journal.map(({ status }) => status),
		requests: journal.map((entry) => entry.requestId),
		...words(row, {
			id: input[1].id,
			requestId: requestId ?? undefined,
			key: idempotencyKey ?? undefined,
		}),
	};
}

const distinct = (values: unknown[]) => [...new Set(values)];

describe('Error modes of every operation', () => {
	it.each(byTitle)(
		'%s, Stop: says what, which request and which item, and goes no further',
		async (_, row) => {
			const refused = await secondIsRefused(row, 'stopWorkflow');
			const { ended, failure, message, description, statuses, runData } = refused;
			expect(ended.status).toBe('error');
			expect(failure).toMatchObject({ message, description, httpCode: '404', context: { itemIndex: 1 } });
			expect(statuses).toEqual([200, 404]);
			expect(Object.keys(runData)).toEqual(['When clicking', 'Input', 'Prospector']);
		},
	);

	it.each(byTitle)('%s, Continue: the refused item comes out in its place, as its error', async (_, row) => {
		const refused = await secondIsRefused(row, 'continueRegularOutput');
		const { ended, good, bad, message, description, statuses, requests } = refused;
		expect(ended.status).toBe('success');
		expect(statuses).toEqual([200, 404, 200]);
		expect(bad).toEqual([]);
		// The requests of the others, and the error between them.
		expect(distinct(good.map(({ json }) => json.request_id ?? json))).toEqual([
			requests[0],
			{ error: `${message}. ${description}.` },
			requests[2],
		]);
	});

	it.each(byTitle)(
		'%s, Continue using error output: the refused item comes out of the other branch',
		async (_, row) => {
			const refused = await secondIsRefused(row, 'continueErrorOutput');
			const { ended, good, bad, input, message, description, statuses, requests } = refused;
			expect(ended.status).toBe('success');
			expect(statuses).toEqual([200, 404, 200]);
			expect(distinct(good.map(({ json }) => json.request_id))).toEqual([requests[0], requests[2]]);
			expect(good.filter(({ json }) => 'error' in json)).toEqual([]);
			// n8n adds what the item was, so that it can be tried again from here.
			expect(bad.map(({ json }) => json)).toEqual([{ ...input[1], error: `${message}. ${description}.` }]);
		},
	);
});
