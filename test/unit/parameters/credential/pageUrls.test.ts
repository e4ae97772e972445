import {
	pageUrl,
	pageUrlProblem,
	parsePageUrls,
} from '../../../../nodes/Prospector/parameters/credential/pageUrls';

const shown = (settings: object) => ({ showAdvanced: true, ...settings });
const WORKFLOW = 'https://app.example.com/w/{workflow_id}';
const RUN = 'https://app.example.com/w/{workflow_id}?run={run_id}';

describe('the page addresses of a credential', () => {
	test.each<[string, object, object]>([
		['none by default', shown({}), {}],
		['none where they are empty', shown({ workflowPageUrl: ' ', runPageUrl: '' }), {}],
		[
			'those that are set',
			shown({ workflowPageUrl: ` ${WORKFLOW} `, runPageUrl: RUN }),
			{ workflowPageUrl: WORKFLOW, runPageUrl: RUN },
		],
		['none while the advanced settings are folded away', { workflowPageUrl: WORKFLOW }, {}],
		[
			'only those that can be used',
			shown({ workflowPageUrl: WORKFLOW, runPageUrl: 'nowhere' }),
			{ workflowPageUrl: WORKFLOW },
		],
		[
			'also plain HTTP, where no key goes',
			shown({ runPageUrl: 'http://intranet:8080/{run_id}' }),
			{ runPageUrl: 'http://intranet:8080/{run_id}' },
		],
	])('are %s', (_, credential, expected) => expect(parsePageUrls(credential as never)).toEqual(expected));

	test.each([
		['app.example.com/{run_id}', 'is not a web address that starts with https://'],
		['javascript:alert("{run_id}")', 'is not a web address that starts with https://'],
		['https://', 'is not a web address that starts with https://'],
		['https://app.example.com/runs', 'does not hold {run_id}'],
		['https://app.example.com/w/{workflow_id}', 'does not hold {run_id}'],
		['https://app.example.com/{id}', 'holds {id}, which stands for nothing'],
		['https://app.example.com/{run_id}/{tab}', 'holds {tab}, which stands for nothing'],
		['https://{run_id}.example.com/{run_id}', 'holds more than a host before its first slash'],
		['https://me:secret@app.example.com/{run_id}', 'holds more than a host before its first slash'],
		['https://app.example.com{run_id}', 'holds more than a host before its first slash'],
	])('cannot be %s', (runPageUrl, words) => {
		const credential = shown({ runPageUrl });
		expect(parsePageUrls(credential as never)).toEqual({});
		const problem = pageUrlProblem(credential as never);
		expect(problem?.message).toBe(`'Run Page URL' of the credential ${words}`);
		expect(problem?.description).toContain('{run_id}');
	});

	test('of workflows know no run', () => {
		const problem = pageUrlProblem(shown({ workflowPageUrl: RUN }) as never);
		expect(problem?.message).toContain('holds {run_id}, which stands for nothing');
		expect(problem?.description).toContain('https://app.example.com/workflows/{workflow_id}');
	});

	test('that can be used are no reason for words', () => {
		expect(pageUrlProblem(shown({ workflowPageUrl: WORKFLOW, runPageUrl: RUN }) as never)).toBeUndefined();
		expect(pageUrlProblem({})).toBeUndefined();
	});
});

describe('a page address', () => {
	test.each([
		[{ workflow_id: 'wf_1', run_id: 'run_1' }, 'https://app.example.com/w/wf_1?run=run_1'],
		[{ workflow_id: 'a/../b', run_id: 'x&y=#' }, 'https://app.example.com/w/a%2F..%2Fb?run=x%26y%3D%23'],
		[
			{ workflow_id: '$&', run_id: '{workflow_id}' },
			'https://app.example.com/w/%24%26?run=%7Bworkflow_id%7D',
		],
	])('of %j is %s', (ids, url) => expect(pageUrl(RUN, ids)).toBe(url));

	test('is none without a template', () => expect(pageUrl(undefined, { run_id: 'a' })).toBeUndefined());
});
