import type { FaultView, JournalEntry } from '../../sandbox/types';
import { checkConduct, checkFaults, type Conduct } from './conduct';
import { noEvidence, type Evidence } from './evidence';

const conduct = (more: Partial<Conduct> = {}, evidence: Partial<Evidence> = {}): Conduct => ({
	evidence: { ...noEvidence(), ...evidence },
	waiting: 0,
	writes: 1,
	leakedWrites: [],
	journal: [],
	secrets: ['s3cret'],
	...more,
});

test('nothing is said of a good campaign', () => expect(checkConduct(conduct())).toEqual([]));

test.each<[string, Conduct, RegExp]>([
	[
		'an execution that hangs',
		conduct({}, { hanging: ['Execution 3 did not end'] }),
		/^Execution 3 did not end$/,
	],
	['a wait that goes on', conduct({ waiting: 2 }), /^2 waits of the node go on/],
	['an unknown message', conduct({}, { unknownMessages: new Set(['Oh no']) }), /in no table: Oh no$/],
	[
		'a key in an execution',
		conduct({}, { leaks: new Set(['execution 4, its data']) }),
		/key stands in execution 4/,
	],
	[
		'a key in a log',
		conduct({ leakedWrites: ['bad [API key]\n'] }),
		/written to the log.*: bad \[API key\]$/,
	],
	['no log at all', conduct({ writes: 0 }), /^Nothing was logged/],
	[
		'a key in the body of a request',
		conduct({ journal: [{ sequence: 9, body: { name: 's3cret' } } as unknown as JournalEntry] }),
		/key stands outside of the header of request 9/,
	],
])('%s is a violation', (_, given, words) => {
	expect(checkConduct(given)).toEqual([expect.stringMatching(words)]);
});

describe('the faults', () => {
	const journal = Array<JournalEntry>(10_000).fill({} as JournalEntry);
	const fault = (fired: number, more: Partial<FaultView> = {}) =>
		({
			id: 'fault_1',
			kind: 'drop',
			when: 'after',
			matched: 10_000,
			probability: 0.3,
			fired,
			...more,
		}) as FaultView;

	test.each([3000, 2800, 3200])('%i of 10,000 are what was meant', (fired) => {
		expect(checkFaults([fault(fired)], journal)).toEqual([]);
	});

	test.each([0, 2500, 3500])('%i of 10,000 are not', (fired) => {
		expect(checkFaults([fault(fired)], journal)).toContain(
			`${fired} of 10000 replies suffered a fault, and 3000 were meant`,
		);
	});

	test('a kind that never struck is told, unless there was hardly an occasion', () => {
		const rare = fault(0, { id: 'rare', probability: 0.001 });
		expect(checkFaults([fault(3000), fault(0, { id: 'never', probability: 0.01 }), rare], journal)).toEqual([
			'Fault never (drop, after) struck no request',
		]);
	});
});
