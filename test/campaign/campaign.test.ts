import { runCampaign } from './campaign';
import type { CampaignOptions } from './options';
import { reportText } from './reportText';

const PATIENCE = 180_000;
const campaign = async (options: Partial<CampaignOptions>) => {
	const full = { seed: 1, operations: 60, ...options };
	const report = await runCampaign(full);
	return { ...report, text: reportText(report, full) };
};

test(
	'Each of some hundred creations and runs is done exactly once, while almost every third reply goes wrong',
	async () => {
		const { violations, summary, text } = await campaign({ operations: 300 });
		expect(violations).toEqual({});
		expect(text).toMatch(/Each of 300 operations was done exactly once\.$/);
		expect(summary.runsStarted + summary.workflowsCreated).toBe(300);
		for (const count of [summary.retries, summary.interruptions, summary.repeated, summary.replayed]) {
			expect(count).toBeGreaterThan(10);
		}
		// The limit is felt: by refusals, or by requests that the node held back.
		expect(summary.messages['status 429']).toBeGreaterThan(10);
		expect(Object.keys(summary.faults).sort()).toEqual(
			'cutBody,drop,hang,notEnvelope,notJson,redirect,reset,slow,status'.split(','),
		);
	},
	PATIENCE,
);

test(
	'The same seed brings the same keys, and to each of them the same faults',
	async () => {
		const fates = async (seed: number) => {
			const { truth, violations } = await campaign({ seed });
			expect(violations).toEqual({});
			const perKey = new Map<string, string[]>();
			for (const { idempotencyKey: key, fault } of truth.journal) {
				if (key !== null) perKey.set(key, [...(perKey.get(key) ?? []), fault?.id ?? '-']);
			}
			return perKey;
		};
		const [once, again, other] = [await fates(2), await fates(2), await fates(3)];
		expect([...other.keys()].filter((key) => once.has(key))).toEqual([]);
		const common = [...once.keys()].filter((key) => again.has(key));
		// A few differ: an item that failed before anything was sent is repeated by an execution of its own.
		expect(common.length).toBeGreaterThan(45);
		// How often a key is sent depends on the moment; what happens to its first, second … request does not.
		for (const key of common) {
			const [one, two] = [once.get(key)!, again.get(key)!];
			const both = Math.min(one.length, two.length);
			expect(two.slice(0, both)).toEqual(one.slice(0, both));
		}
	},
	PATIENCE,
);

describe('a campaign fails, says why and how to see it again,', () => {
	const replay = /\n\nThe same again: npm run campaign -- --seed 4 --operations 60$/;

	test(
		'when no idempotency key is sent',
		async () => {
			const { text } = await campaign({ seed: 4, nodeOptions: { idempotencyKeyMode: 'none' } });
			expect(text).toMatch(/Changes that the service made: \d+, and 60 were meant/);
			expect(text).toMatch(/Operation \d+ \((create|run) '.*'\) was sent without an idempotency key/);
			expect(text).toMatch(replay);
		},
		PATIENCE,
	);

	test(
		'when each try has a key of its own',
		async () => {
			const nodeOptions = { idempotencyKeyMode: 'custom', idempotencyKey: '={{ Math.random() }}' };
			const { text, summary } = await campaign({ seed: 4, nodeOptions });
			expect(summary.runsStarted + summary.workflowsCreated).toBeGreaterThan(60);
			expect(text).toMatch(/Runs started: \d+, and \d+ were meant/);
			expect(text).toMatch(replay);
		},
		PATIENCE,
	);

	test(
		'when all items of an execution have one key',
		async () => {
			const nodeOptions = { idempotencyKeyMode: 'custom', idempotencyKey: '={{ $execution.id }}' };
			const { text } = await campaign({ seed: 4, nodeOptions });
			expect(text).toMatch(/A message that is in no table: The idempotency key '\d+' was already used/);
			// Which of these are among the findings that are listed depends on what met what.
			expect(text).toMatch(/Operation \d+ .* came out (of no execution|with one (id|key))/);
			expect(text).toMatch(replay);
		},
		PATIENCE,
	);

	test(
		'when a message is in no table',
		async () => {
			const { text } = await campaign({ seed: 4, nodeOptions: { requestTimeout: 0 } });
			expect(text).toMatch(/A message that is in no table: 'Request Timeout' must be a whole number/);
			expect(text).toMatch(/Operation 0 .* came out of no execution/);
			expect(text).toMatch(replay);
		},
		PATIENCE,
	);
});
