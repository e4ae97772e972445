import type { FaultRule } from '../../sandbox/types';
import { runCampaign, type CampaignOptions, type CampaignReport } from './campaign';
import { faultRules } from './faultMix';
import { reportText } from './report';

/** On a busy machine. */
const TIMEOUT_MS = 300_000;

const campaign = async (options: Partial<CampaignOptions>) => {
	const full = { seed: 1, operations: 12, ...options };
	const report = await runCampaign(full);
	return { ...report, text: reportText(report, full) };
};

/** Returns the faults that the first, second … request with each key met: they do not depend on timing. */
function faultsPerKey({ records }: CampaignReport): Map<string, string[]> {
	const faults = new Map<string, string[]>();
	for (const { idempotencyKey: key, fault } of records.journal) {
		if (key !== null) faults.set(key, [...(faults.get(key) ?? []), fault?.kind ?? 'none']);
	}
	return faults;
}

/** Returns the keys of the operations whose executions fail as a whole: retries keep them, whenever they fail. */
const fixedKeys = ({ plan, evidence }: CampaignReport) =>
	plan.executions
		.filter(({ settings }) => settings.onError === 'stopWorkflow')
		.flatMap(({ first, second }) => [...first, ...second])
		.map(({ id }) => String(evidence.produced.get(id)?.[0].key));

/** Each kind of fault applies to a write once, whatever the random faults do. */
const FAULT_OF_EACH_KIND = new Map(
	faultRules('')
		.reverse()
		.map((rule): [string, FaultRule] => [
			rule.kind,
			{ ...rule, match: { method: 'POST' }, probability: undefined, times: 1 },
		]),
);

test(
	'does each of 200 operations exactly once under faults and interruptions',
	async () => {
		const faults = [...FAULT_OF_EACH_KIND.values()];
		const { violations, text, plan, evidence, records } = await campaign({ operations: 200, faults });
		expect(violations).toEqual({});
		expect(text).toMatch(/Each of 200 operations was done exactly once\.$/);

		const interrupted = plan.executions.flatMap(({ interruptions }) =>
			interruptions.filter(({ attempt }) => attempt === 0).map(({ how }) => how),
		);
		expect(new Set(interrupted)).toEqual(new Set(['stop', 'kill', 'lost']));
		expect(evidence.interruptions).toBeGreaterThanOrEqual(interrupted.length);
		const mustBeRetried = interrupted.filter((how) => how !== 'stop').length;
		expect(evidence.retries).toBeGreaterThanOrEqual(mustBeRetried);

		const kinds = new Set(records.journal.map(({ fault }) => fault?.kind));
		expect(kinds).toEqual(new Set([...FAULT_OF_EACH_KIND.keys(), undefined]));
		// If the response to a change is lost, only a replayed response can lead to an output.
		const lost = records.journal.filter(
			({ committed, fault }) => committed && fault && fault.kind !== 'slow',
		);
		const replayed = new Set(
			records.journal.filter((one) => one.replayed).map(({ idempotencyKey }) => idempotencyKey),
		);
		expect(lost.length).toBeGreaterThan(10);
		expect(lost.filter(({ idempotencyKey }) => !replayed.has(idempotencyKey))).toEqual([]);
	},
	TIMEOUT_MS,
);

test(
	'sends the same keys for the same seed, and each key meets the same faults',
	async () => {
		const [once, again] = [
			await campaign({ seed: 2, operations: 25 }),
			await campaign({ seed: 2, operations: 25 }),
		];
		const keys = fixedKeys(once);
		expect(keys.length).toBeGreaterThan(8);
		expect(fixedKeys(again)).toEqual(keys);
		const [faults, faultsAgain] = [faultsPerKey(once), faultsPerKey(again)];
		for (const key of keys) {
			const [one, two] = [faults.get(key)!, faultsAgain.get(key)!];
			const both = Math.min(one.length, two.length);
			expect(two.slice(0, both)).toEqual(one.slice(0, both));
		}
		const other = faultsPerKey(await campaign({ seed: 3 }));
		expect(keys.filter((key) => other.has(key))).toEqual([]);
	},
	TIMEOUT_MS,
);

test.each<[what: string, options: Partial<CampaignOptions>, behavior: RegExp[], exactlyOnce: RegExp[]]>([
	[
		'no idempotency key is sent',
		{ nodeOptions: { preventDuplicates: 'off' } },
		[],
		[/^Operation \d+ .* have the same key, null$/, /^Operation \d+ .* (without an|has different)/],
	],
	[
		'each attempt has its own key',
		{
			nodeOptions: { preventDuplicates: 'key', idempotencyKey: '={{ Math.random() }}', retryFor: 0 },
			faults: [{ match: { method: 'POST' }, kind: 'drop', when: 'after', times: 3 }],
		},
		[],
		[
			/^(Runs started|Prospector workflows created): \d+ instead of/,
			/made a change that no execution returned/,
		],
	],
	[
		'all items of an execution have the same key',
		{ nodeOptions: { preventDuplicates: 'key', idempotencyKey: '={{ $execution.id }}' } },
		[/^Unknown message: Idempotency Key '\d+' is already in use/],
		[/^Operation \d+ .* was returned by no execution/],
	],
])(
	'fails with the command that repeats it if %s',
	async (_, options, behavior, exactlyOnce) => {
		const { text, violations } = await campaign(options);
		const matching = (patterns: RegExp[]) =>
			expect.arrayContaining(patterns.map((pattern) => expect.stringMatching(pattern)));
		expect(violations.Behavior ?? []).toEqual(matching(behavior));
		expect(violations['Exactly once']).toEqual(matching(exactlyOnce));
		expect(text).toMatch(/\n\nTo repeat it: npm run campaign -- --seed 1 --operations 12$/);
	},
	TIMEOUT_MS,
);
