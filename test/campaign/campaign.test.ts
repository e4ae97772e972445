import type { FaultRule } from '../../sandbox/types';
import { runCampaign } from './campaign';
import { exactlyOnceChecks } from './exactlyOnceChecks';
import { faultRules } from './faultMix';

/** Each kind of fault applies to a write once, whatever the random faults do. */
const FAULT_OF_EACH_KIND = new Map(
	faultRules('')
		.reverse()
		.map((rule): [string, FaultRule] => [
			rule.kind,
			{ ...rule, match: { method: 'POST' }, probability: undefined, times: 1 },
		]),
);

test('n8n completes each of 200 operations exactly once despite faults of the service and interrupted executions', async () => {
	const faults = [...FAULT_OF_EACH_KIND.values()];
	const { violations, plan, evidence, records } = await runCampaign({ seed: 1, operations: 200, faults });
	expect(violations).toEqual([]);

	const interruptions = plan.executions.flatMap((execution) => execution.interruptions);
	expect(new Set(interruptions.map(({ how }) => how))).toEqual(new Set(['stop', 'kill', 'lost']));
	expect(evidence.retries).toBeGreaterThan(evidence.interruptions / 2);
	const kinds = new Set(records.journal.map(({ fault }) => fault?.kind));
	expect(kinds).toEqual(new Set([...FAULT_OF_EACH_KIND.keys(), undefined]));
	// If the response to a change is lost, only a replayed response can lead to an output.
	const lost = records.journal.filter(({ committed, fault }) => committed && fault && fault.kind !== 'slow');
	const replayed = new Set(
		records.journal.filter((one) => one.replayed).map(({ idempotencyKey }) => idempotencyKey),
	);
	expect(lost.length).toBeGreaterThan(10);
	expect(lost.filter(({ idempotencyKey }) => !replayed.has(idempotencyKey))).toEqual([]);

	// The checks notice each change that is done twice.
	for (const done of records.journal.filter(({ committed }) => committed)) {
		const doneTwice = { ...records, journal: [...records.journal, done] };
		expect(exactlyOnceChecks(plan.operations, evidence, doneTwice)).toEqual([
			expect.stringContaining(`with key '${done.idempotencyKey}' by request`),
		]);
	}
}, 300_000);
