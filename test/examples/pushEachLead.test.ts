import type { IDataObject } from 'n8n-workflow';
import { receiver } from './fixtures';
import { startExample } from './support';

let bench: Awaited<ReturnType<typeof startExample>>;
beforeEach(async () => {
	bench = await startExample('run-wait-and-push-each-lead.json', { resultsPerRun: 5, listOrder: 'shuffled' });
});
afterEach(async () => await bench.close());

test('unchanged, every lead of the run comes out shaped', async () => {
	const { error, items } = await bench.execute('trigger');
	expect(error).toBeUndefined();
	const leads = items('Leads that arrived');
	expect(leads).toHaveLength(5);
	const [{ id }] = bench.sandbox.control.runs().runs.filter(({ origin }) => origin === 'request');
	for (const lead of leads) {
		expect(lead).toEqual({
			lead_id: expect.stringMatching(/^lead_/),
			company_name: expect.any(String),
			prospector_run_id: id,
			prospector_request_id: expect.stringMatching(/^req_/),
		});
	}
	expect(items('Say how many did not arrive')).toEqual([]);
});

test('a lead that is refused keeps back none of the others, and is reported at the end', async () => {
	const met: unknown[] = [];
	const refuseSecond = ({ lead_id: id }: IDataObject) => met.push(id) === 2;
	const { type, taken } = receiver(refuseSecond);
	bench.replace('Push the lead onwards', type);
	const { error, items, lastNode } = await bench.execute('trigger');
	expect(taken).toHaveLength(4);
	expect(items('Leads that arrived')).toHaveLength(4);
	expect(lastNode).toBe('Say how many did not arrive');
	expect(error?.message).toBe('1 of 5 leads were not pushed; all others were. The first of them: Refused');
});

test('where the service has other words, the option that the note names is all it takes', async () => {
	bench.sandbox.control.patchSettings({ runStatuses: ['wird gesucht', 'fertig'] });
	const wait = bench.workflow.nodes.find(({ name }) => name === 'Run it and wait for its leads');
	Object.assign(wait!.parameters.options as IDataObject, { finishedStatuses: 'fertig' });
	const { error, items } = await bench.execute('trigger');
	expect(error).toBeUndefined();
	expect(items('Leads that arrived')).toHaveLength(5);
});
