import {
	disambiguateNames,
	matches,
	runListEntry,
	workflowListEntry,
} from '../../../nodes/Prospector/methods/listEntries';

const AT = '2025-03-01T12:34:56.789Z';

describe('a workflow in the picker', () => {
	test.each([
		[
			{ id: 'wf_1', name: 'Austria', status: 'active', created_at: AT },
			'Austria (active) · 2025-03-01 12:34 UTC',
			AT,
		],
		[{ id: 'wf_1', name: 'Austria' }, 'Austria', ''],
		[{ id: 'wf_1', name: ' ', status: 'draft' }, 'wf_1 (draft)', ''],
		[{ id: 'wf_1', name: null, status: 5, created_at: 5 }, 'wf_1', ''],
		[{ id: 'wf_1' }, 'wf_1', ''],
		[{ id: 'wf_1', created_at: AT }, 'wf_1 · 2025-03-01 12:34 UTC', AT],
	])('%j is shown as %s', (workflow, name, createdAt) => {
		expect(workflowListEntry(workflow)).toEqual({ name, value: 'wf_1', createdAt });
	});
});

describe('entries that read alike', () => {
	const entry = (name: string, value: string) => ({ name, value, createdAt: '' });
	test('show their ids, and the others do not', () => {
		const shown = disambiguateNames([entry('a', '1'), entry('b', '2'), entry('a', '3')]);
		expect(shown.map(({ name }) => name)).toEqual(['a · 1', 'b', 'a · 3']);
		expect(shown.map(({ value }) => value)).toEqual(['1', '2', '3']);
	});

	test.each(['__proto__', 'constructor'])('may be called %s', (name) => {
		expect(disambiguateNames([entry(name, '1')])[0].name).toBe(name);
	});
});

describe('a link', () => {
	const pages = {
		workflowPageUrl: 'https://a.example/w/{workflow_id}',
		runPageUrl: 'https://a.example/{workflow_id}/{run_id}',
	};
	test('leads to the page of a workflow or run, with encoded ids', () => {
		expect(workflowListEntry({ id: 'a/b' }, pages).url).toBe('https://a.example/w/a%2Fb');
		expect(runListEntry({ id: 'r?1' }, { id: 'w 1' }, pages).url).toBe('https://a.example/w%201/r%3F1');
	});

	test('is absent where the credential names no page', () => {
		expect(workflowListEntry({ id: 'a' }, { runPageUrl: pages.runPageUrl }).url).toBeUndefined();
		expect(runListEntry({ id: 'r' }, { id: 'a' }, {}).url).toBeUndefined();
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
		expect(runListEntry({ id: 'run_1', ...run }, of)).toMatchObject({ name, value: 'run_1' });
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
