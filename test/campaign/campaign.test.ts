import type { FaultRule, JournalEntry } from '../../sandbox/types';
import { runCampaign, type CampaignReport } from './campaign';
import type { Output } from './evidence';
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

type Spoil = (
	all: Pick<CampaignReport['evidence'], 'produced'> & Pick<CampaignReport, 'records'>,
	last: (operation: string) => JournalEntry,
	first: Output[],
) => unknown;

const UNKNOWN = ['Only the service knows', 'Only an execution knows'];
/** What the checks report when the plan, the service and the executions differ. */
const DIFFERENCES: Array<[string[], Spoil]> = [
	[['Runs started'], ({ records }) => records.runs.started++],
	[['Prospector workflows created'], ({ records }) => records.workflowsCreated++],
	[['Only an execution knows'], (_, last) => (last('runWorkflow').committed = false)],
	[
		['Different IDs', 'Outputs of operation ', 'Only the service knows'],
		({ produced }) => produced.delete(0),
	],
	[
		['Different IDs', 'Outputs of operation ', 'Only an execution knows'],
		(_, __, first) => first.push({ ...first[0], id: 'other' }),
	],
	[['Different IDs', ...UNKNOWN], ({ produced }, _, [first]) => (first.id = produced.get(1)![0].id)],
	[['An operation was sent without a key', ...UNKNOWN], (_, __, [first]) => (first.key = null)],
	[UNKNOWN, (_, __, [first]) => (first.requestId = 'other')],
	[UNKNOWN, (_, last) => (last('createWorkflow').body = { name: 'other' })],
	[UNKNOWN, (_, last) => (last('runWorkflow').path = '/other/run')],
	[UNKNOWN, ({ records }) => records.runs.runs.pop()],
];

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

	// The checks notice each change that is done twice, and everything else that may differ.
	for (const done of records.journal.filter(({ committed }) => committed)) {
		const doneTwice = { ...records, journal: [...records.journal, done] };
		expect(exactlyOnceChecks(plan.operations, evidence, doneTwice)).toEqual([
			expect.stringContaining(`with key '${done.idempotencyKey}' by request`),
		]);
	}
	for (const [expected, spoil] of DIFFERENCES) {
		const spoiled = structuredClone({ produced: evidence.produced, records });
		const writes = spoiled.records.journal.filter(({ committed }) => committed).reverse();
		const last = (operation: string) => writes.find((write) => write.operation === operation)!;
		spoil(spoiled, last, spoiled.produced.get(0)!);
		const found = exactlyOnceChecks(plan.operations, spoiled, spoiled.records);
		expect(found.map((text) => text.replace(/[:\d].*/, ''))).toEqual(expected);
	}
}, 300_000);
