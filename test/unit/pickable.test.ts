import { matches, pickableRun, pickableWorkflow } from '../../nodes/Prospector/methods/pickable';

const AT = '2025-03-01T12:34:56.789Z';

describe('a workflow in the picker', () => {
	test.each([
		[{ id: 'wf_1', name: 'Austria', status: 'active', created_at: AT }, 'Austria (active)', AT],
		[{ id: 'wf_1', name: 'Austria' }, 'Austria', ''],
		[{ id: 'wf_1', name: ' ', status: 'draft' }, 'wf_1 (draft)', ''],
		[{ id: 'wf_1', name: null, status: 5, created_at: 5 }, 'wf_1', ''],
		[{ id: 'wf_1' }, 'wf_1', ''],
	])('%j is shown as %s', (workflow, name, createdAt) => {
		expect(pickableWorkflow(workflow)).toEqual({ name, value: 'wf_1', createdAt });
	});
});

describe('a run in the picker', () => {
	const workflow = { id: 'wf_1', name: ' Austria ' };
	test.each([
		[{ created_at: AT, status: 'done' }, workflow, 'Austria · 2025-03-01 12:34 UTC · done · run_1'],
		[
			{ created_at: '2025-03-01T12:34:56Z', status: 'done' },
			workflow,
			'Austria · 2025-03-01 12:34 UTC · done · run_1',
		],
		[{ created_at: AT }, { id: 'wf_1' }, 'wf_1 · 2025-03-01 12:34 UTC · run_1'],
		[{ status: 'done' }, workflow, 'Austria · done · run_1'],
		[{ created_at: 'yesterday' }, workflow, 'Austria · yesterday · run_1'],
		[{ created_at: 5, status: null }, workflow, 'Austria · run_1'],
	])('%j is shown by workflow, time, status and id', (run, of, name) => {
		expect(pickableRun({ id: 'run_1', ...run }, of)).toMatchObject({ name, value: 'run_1' });
	});
});

describe('what a person typed', () => {
	const entry = { name: 'Austria (active)', value: 'wf_42', createdAt: '' };
	test.each([
		[undefined, true],
		['', true],
		['  ', true],
		['austria', true],
		[' AUSTRIA ', true],
		['WF_4', true],
		['(act', true],
		['germany', false],
		['.*', false],
	])('(%j) finds the entry: %j', (filter, expected) => expect(matches(entry, filter)).toBe(expected));
});
