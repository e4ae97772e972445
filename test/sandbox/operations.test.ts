import {
	CASES_WITH_ID,
	API,
	OPERATION_CASES,
	closeAll,
	ids,
	oneOfEach,
	startTestSandbox,
	sendCase,
	UNKNOWN,
} from './support';

afterEach(closeAll);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('every operation', () => {
	test.each(OPERATION_CASES)('$number $operation answers with the envelope', async (item) => {
		const bench = await startTestSandbox();
		const where = oneOfEach(bench);
		const reply = await sendCase(bench, item, where);

		expect(reply.status).toBe(200);
		expect(reply.headers['content-type']).toContain('application/json');
		expect(reply.json.request_id).toMatch(/^req_/);
		expect(Object.keys(reply.json).sort()).toEqual(
			item.list ? ['data', 'pagination', 'request_id'] : ['data', 'request_id'],
		);
		expect(Array.isArray(reply.json.data)).toBe(item.list === true);
		for (const resource of [reply.json.data].flat()) {
			expect(resource).toMatchObject({ id: expect.any(String), object: item.object });
			expect(resource.created_at).toMatch(TIME);
			expect(resource.updated_at).toMatch(TIME);
		}
		expect([reply.json.data].flat().length).toBeGreaterThan(0);
	});

	test.each(OPERATION_CASES)('$number $operation is journaled under its name', async (item) => {
		const bench = await startTestSandbox();
		await sendCase(bench, item, oneOfEach(bench));
		const write = item.scope === 'prospector.run';
		expect(bench.control.journal()).toMatchObject([
			{ operation: item.operation, status: 200, committed: write, replayed: false, keyName: 'full' },
		]);
	});

	test.each(CASES_WITH_ID)('$number $operation gives 404 for an unknown id', async (item) => {
		const bench = await startTestSandbox();
		const reply = await sendCase(bench, item, ids(UNKNOWN, UNKNOWN));
		expect(reply.status).toBe(404);
		expect(reply.json.request_id).toMatch(/^req_/);
	});

	test('request ids differ, also across a reset', async () => {
		const bench = await startTestSandbox();
		const seen = new Set<string>();
		for (const path of ['/me', '/me', '/nowhere']) seen.add((await bench.call('GET', path)).json.request_id);
		bench.control.reset();
		seen.add((await bench.call('GET', '/me')).json.request_id);
		expect(seen.size).toBe(4);
	});
});

describe('fields of resources (contract 2.3)', () => {
	test.each([
		['/prospector/config', { timezone: expect.any(String), states: expect.any(Array) }],
		['/prospector/workflows/WF', { name: 'First', status: expect.any(String) }],
		['/prospector/runs/RUN', { status: expect.any(String), workflow_id: expect.stringMatching(/^wf_/) }],
	])('%s', async (path, fields) => {
		const bench = await startTestSandbox();
		const { workflow, run } = oneOfEach(bench);
		const reply = await bench.call('GET', path.replace('WF', workflow).replace('RUN', run));
		expect(reply.json.data).toMatchObject(fields);
	});

	test('results', async () => {
		const bench = await startTestSandbox();
		const { run } = oneOfEach(bench);
		const { data } = (await bench.call('GET', `/prospector/runs/${run}/results`)).json;
		expect(data).toHaveLength(3);
		for (const result of data) {
			expect(result.lead_id).toMatch(/^lead_/);
			expect(result.company_name).toMatch(/^\S+ \S/);
		}
	});

	test('identity tells of the key and the workspace, and not the secret', async () => {
		const bench = await startTestSandbox();
		const reply = await bench.call('GET', '/me');
		expect(reply.json.data).toMatchObject({
			name: 'full',
			membership: 'full',
			workspace: { name: expect.any(String) },
		});
		expect(reply.text).not.toContain(bench.key.full);
	});
});

describe('workflows', () => {
	test('keep fields of the body, and not those the service sets', async () => {
		const bench = await startTestSandbox();
		const body = {
			name: 'A',
			query: { country: 'DE' },
			id: 'mine',
			object: 'x',
			created_at: 'x',
			updated_at: 'x',
		};
		const made = (await bench.call('POST', '/prospector/workflows', { body })).json.data;
		expect(made).toMatchObject({ name: 'A', query: { country: 'DE' }, object: 'prospector_workflow' });
		expect(made.id).toMatch(/^wf_/);
		expect(made.created_at).toMatch(TIME);
		expect((await bench.call('GET', `/prospector/workflows/${made.id}`)).json.data).toEqual(made);
	});

	test('PATCH changes what it names, and updated_at', async () => {
		const bench = await startTestSandbox();
		const made = (await bench.call('POST', '/prospector/workflows', { body: { name: 'A', a: 1, b: 2 } })).json
			.data;
		bench.pass(1234);
		const changed = (
			await bench.call('PATCH', `/prospector/workflows/${made.id}`, { body: { b: 3, status: 'off' } })
		).json.data;
		expect(changed).toMatchObject({ name: 'A', a: 1, b: 3, status: 'off', created_at: made.created_at });
		expect(Date.parse(changed.updated_at) - Date.parse(made.updated_at)).toBe(1234);
	});

	test('{} is a valid body', async () => {
		const bench = await startTestSandbox();
		const reply = await bench.call('POST', '/prospector/workflows', { body: {} });
		expect(reply.status).toBe(200);
		expect(reply.json.data).toMatchObject({ name: 'Untitled workflow', status: 'active' });
	});

	test('DELETE gives the workflow, then it is gone, and its runs stay', async () => {
		const bench = await startTestSandbox();
		const { workflow, run } = oneOfEach(bench);
		const deleted = await bench.call('DELETE', `/prospector/workflows/${workflow}`);
		expect(deleted.json.data).toMatchObject({ id: workflow, name: 'First' });
		for (const [method, tail] of [
			['GET', ''],
			['PATCH', ''],
			['DELETE', ''],
			['POST', '/run'],
			['GET', '/runs'],
		]) {
			const body = method === 'PATCH' ? {} : undefined;
			expect((await bench.call(method, `/prospector/workflows/${workflow}${tail}`, { body })).status).toBe(
				404,
			);
		}
		expect((await bench.call('GET', '/prospector/workflows')).json.data).toEqual([]);
		expect((await bench.call('GET', `/prospector/runs/${run}`)).json.data.workflow_id).toBe(workflow);
		expect((await bench.call('GET', `/prospector/runs/${run}/results`)).json.data).toHaveLength(3);
	});

	test('run gives a run of that workflow, and takes no body', async () => {
		const bench = await startTestSandbox();
		const { workflow } = oneOfEach(bench);
		const reply = await bench.call('POST', `/prospector/workflows/${workflow}/run`);
		expect(reply.json.data).toMatchObject({
			object: 'prospector_run',
			workflow_id: workflow,
			status: 'queued',
		});
		expect(bench.control.runs()).toMatchObject({ started: 1, seeded: 1, perWorkflow: { [workflow]: 1 } });
	});
});

describe('bodies that are no JSON object', () => {
	const json = { 'content-type': 'application/json' };
	test.each([
		['none', {}],
		['none, with a content type', { headers: json }],
		['broken', { raw: '{"a":', headers: json }],
		['an array', { body: [1] }],
		['null', { raw: 'null', headers: json }],
		['a string', { raw: '"x"', headers: json }],
		['a form', { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
		['JSON said to be text', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
		['JSON said to be nothing', { raw: '{}' }],
		['a name that is no string', { body: { name: 1 } }],
		['a status that is no string', { body: { status: null } }],
	])('%s: 400 and nothing changes', async (_what, options) => {
		const bench = await startTestSandbox();
		const { workflow } = oneOfEach(bench);
		for (const [method, path] of [
			['POST', '/prospector/workflows'],
			['PATCH', `/prospector/workflows/${workflow}`],
		]) {
			expect((await bench.call(method, path, options)).status).toBe(400);
		}
		expect(bench.control.state().counts).toMatchObject({ workflows: 1, workflowsCreated: 0 });
		expect(bench.control.journal().every((entry) => !entry.committed)).toBe(true);
	});

	test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
		'%s is a JSON content type',
		async (type) => {
			const bench = await startTestSandbox();
			const options = { raw: '{}', headers: { 'content-type': type } };
			expect((await bench.call('POST', '/prospector/workflows', options)).status).toBe(200);
		},
	);
});

describe('paths that are no operation', () => {
	test.each([
		['GET', '/nope'],
		['GET', '/prospector'],
		['GET', '/prospector/workflows/'],
		['PUT', '/prospector/config'],
		['POST', '/prospector/runs/x'],
		['GET', '/prospector/workflows/%zz'],
		['GET', '/prospector/workflows/%ff'],
		['GET', `/prospector/workflows/${'x'.repeat(300)}`],
		['GET', '/prospector/workflows/a%2Fb'],
	])('%s %s: 404, and in the journal as sent', async (method, path) => {
		const bench = await startTestSandbox();
		expect((await bench.call(method, path)).status).toBe(404);
		expect(bench.control.journal()).toMatchObject([{ method, path: API + path, status: 404 }]);
		expect((await bench.call(method, path, { key: null })).status).toBe(401);
	});
});
