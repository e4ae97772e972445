import type { FaultView, JournalEntry } from '../../sandbox/types';
import { behaviorChecks, checkFaults, type CampaignEnd } from './behaviorChecks';
import { noEvidence, type Evidence } from './evidence';

const aftermath = (spoiled: Partial<CampaignEnd> = {}, evidence: Partial<Evidence> = {}): CampaignEnd => ({
	evidence: { ...noEvidence(), ...evidence },
	pendingWaits: 0,
	writes: 1,
	leakedWrites: [],
	journal: [],
	secrets: ['s3cret'],
	...spoiled,
});

test.each<[string, CampaignEnd, RegExp]>([
	['an execution that hangs', aftermath({}, { hanging: ['Execution 3 hangs'] }), /^Execution 3 hangs$/],
	['a wait that continues', aftermath({ pendingWaits: 2 }), /^2 waits of the node continue/],
	['an unknown message', aftermath({}, { unknownMessages: new Set(['Oh no']) }), /^Unknown message: Oh no$/],
	['a key in an execution', aftermath({}, { leaks: new Set(['execution 4']) }), /key is in execution 4/],
	['a key in a log', aftermath({ leakedWrites: ['[API key]\n'] }), /written to the log.*: \[API key\]$/],
	['a campaign without logs', aftermath({ writes: 0 }), /^Nothing was logged/],
	[
		'a key in the body of a request',
		aftermath({ journal: [{ sequence: 9, body: { name: 's3cret' } } as unknown as JournalEntry] }),
		/key is outside of the header of request 9/,
	],
])('reports %s', (_, spoiled, violation) => {
	expect(behaviorChecks(spoiled)).toEqual([expect.stringMatching(violation)]);
});

const DROP = { id: 'fault_1', kind: 'drop', when: 'after', matched: 10_000, probability: 0.3 };
const fault = (fired: number, more: Partial<FaultView> = {}) => ({ ...DROP, fired, ...more }) as FaultView;

test.each([3000, 2800, 3200])('accepts %i faults in 10,000 requests', (fired) => {
	expect(checkFaults([fault(fired)], 10_000)).toEqual([]);
});

test.each([0, 2500, 3500])('rejects %i faults in 10,000 requests', (fired) => {
	const expected = `${fired} of 10000 requests met a fault instead of 3000`;
	expect(checkFaults([fault(fired)], 10_000)).toContain(expected);
});

test('reports a fault that applied to no request, unless it is rare', () => {
	const rare = fault(0, { id: 'rare', probability: 0.001 });
	const never = fault(0, { id: 'never', probability: 0.01 });
	expect(checkFaults([fault(3000), never, rare], 10_000)).toEqual([
		'Fault never (drop, after) applied to no request',
	]);
});
