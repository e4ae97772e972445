import { spawnSync } from 'node:child_process';
import { built } from '../built';
import { reportText, runTriggerCampaign } from './triggerCampaign';

const poll = built<typeof import('../../../nodes/Prospector/trigger/poll')>(
	'nodes/Prospector/trigger/poll.js',
);
const state = built<typeof import('../../../nodes/Prospector/trigger/state/triggerState')>(
	'nodes/Prospector/trigger/state/triggerState.js',
);
const { runPoll } = poll;
/** Of a busy machine; milliseconds. */
const TIMEOUT = 180_000;
let forgotten = 0;
afterEach(() => void Object.assign(poll, { runPoll }));

const campaign = async (polls: number) => {
	const options = { seed: 1, polls, maxEvents: 60 };
	const report = await runTriggerCampaign(options);
	return { ...report, text: reportText(report, options) };
};

test(
	'A short campaign finds nothing lost and nothing repeated',
	async () => {
		const { figures, faults, text } = await campaign(300);
		expect(text).toMatch(/\n {2}lost +0\n {2}repeated +0\n {2}wrong +0\n[^]*\n\n\d+ passed, 0 failed$/);
		expect(figures.polls).toBeGreaterThanOrEqual(300);
		expect(figures.items).toBeGreaterThan(20);
		expect(Object.keys(faults)).toEqual(expect.arrayContaining(['status', 'drop', 'reset', 'cutBody']));
	},
	TIMEOUT,
);

test.each<[what: string, finding: RegExp, broken: typeof runPoll]>([
	[
		'forgets what it has emitted',
		/repeated: /,
		async (input) => {
			const before = input.previous && state.serializeState(input.previous);
			const outcome = await runPoll(input);
			// Otherwise there would always be items, and no end of a history.
			const isForgotten = outcome.items.length > 0 && forgotten++ < 3;
			return { ...outcome, state: (isForgotten && before) || outcome.state };
		},
	],
	[
		'stores the positions of lists before it has emitted everything',
		/lost: /,
		async (input) => {
			const outcome = await runPoll(input);
			return { ...outcome, items: outcome.items.slice(0, 1) };
		},
	],
	[
		'ignores its budget',
		/[1-9]\d requests in a poll/,
		async (input) => {
			Object.assign(input.budget, { takeRequest: () => true });
			return await runPoll(input);
		},
	],
	[
		'never forgets',
		/a state of 1\d{6} bytes/,
		async (input) => {
			const outcome = await runPoll(input);
			return { ...outcome, state: outcome.state + ' '.repeat(1_000_000) };
		},
	],
	[
		'has a programming error',
		/a poll threw TypeError/,
		async (input) => {
			if (input.previous) throw new TypeError('x is undefined');
			return await runPoll(input);
		},
	],
])('A campaign fails if the trigger %s', async (_, finding, broken) => {
	poll.runPoll = broken;
	const { text } = await campaign(100);
	expect(text).toMatch(finding);
	expect(text).toMatch(
		/The same again: npm run campaign:trigger -- --seed 1 [^]*\n\n\d+ passed, [1-9]\d* failed$/,
	);
});

test.each([
	['--help', 0],
	['--polls=x', 2],
	['--unknown', 2],
])('%s shows every option and ends with %d', (argument, code) => {
	const main = ['--import', 'tsx', 'test/campaign/trigger/main.ts', argument];
	const { status, stdout } = spawnSync(process.execPath, main, { encoding: 'utf8' });
	expect(status).toBe(code);
	expect(stdout).toContain('--polls N');
});
