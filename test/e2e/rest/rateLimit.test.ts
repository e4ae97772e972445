import { byId } from '../../nodes';
import { PATIENT, startE2e, type E2e } from '../bench';
import { jsonOf, type Execution } from '../n8n/executions';
import { eventually } from '../n8n/rest';
import { clicked, items } from '../n8n/workflows';

/** Requests per minute, of which the service says nothing. */
const LIMIT = 20;
/** Of both executions together more than that. */
const ITEMS = 13;

let e2e: E2e;
let ended: Execution[];

describe('Two executions that share the rate limit', () => {
	beforeAll(async () => {
		e2e = await startE2e({}, { limit: LIMIT });
		const [id] = e2e.control.seed({ workflows: 1 }).workflows;
		const start = { resource: 'workflow', operation: 'run', workflowId: byId(id) };
		const workflow = await e2e.workflows.create(
			clicked(
				items('Items', Array(ITEMS).fill({})),
				e2e.prospector('Prospector', start, { onError: 'continueRegularOutput' }),
			),
		);
		const ids = [await e2e.workflows.start(workflow), await e2e.workflows.start(workflow)];
		ended = await Promise.all(ids.map(async (each) => await e2e.executions.ended(each, PATIENT)));
	}, PATIENT);
	afterAll(async () => await e2e.close());

	test('every item comes, none of them refused, and each has started one run', () => {
		const started = ended.flatMap((execution) => jsonOf(execution, 'Prospector'));
		expect(ended.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(started.map(({ error }) => error)).toEqual(Array(2 * ITEMS).fill(undefined));
		expect(started.map(({ id }) => id).sort()).toEqual(
			e2e.control
				.runs()
				.runs.filter(({ origin }) => origin === 'request')
				.map(({ id }) => id)
				.sort(),
		);
		expect(e2e.control.runs().started).toBe(2 * ITEMS);
	});

	test('the service has to refuse a few requests at most', () => {
		const refused = e2e.control.journal().filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(0);
		expect(refused.length).toBeLessThan(5);
	});

	test('each execution shows the ids of its own requests, to be found by them', async () => {
		for (const { id } of ended) {
			// n8n 1 saves them a moment after the end.
			const execution = await eventually('the saved ids', async () => {
				const shown = await e2e.executions.get(id);
				return Object.keys(shown.customData ?? {}).length > 0 && shown;
			});
			const saved = Object.entries(execution.customData ?? {}).sort();
			expect(saved.map(([name]) => name)).toEqual(['prospector_request_id', 'prospector_request_id_2']);
			expect(saved.flatMap(([, ids]) => ids.split(' '))).toEqual(
				jsonOf(execution, 'Prospector').map(({ request_id: id }) => id),
			);
		}
	});
});
