import type { FaultView, JournalEntry } from '../../sandbox/types';
import type { Evidence } from './evidence';
import { FAULT_SHARE } from './faultMix';

/** What else is to be looked at when all executions have ended. */
export interface Conduct {
	evidence: Evidence;
	/** Waits of the node that are still under way. */
	waiting: number;
	/** Pieces of log and console output that were looked at, and those in which an API key stood. */
	writes: number;
	leakedWrites: string[];
	/** Every request that the service got, without the headers that hold the key. */
	journal: JournalEntry[];
	secrets: string[];
}

/** Whether all ended, said only what it may say, and kept the API key to itself; what does not hold, in words. */
export function checkConduct({
	evidence,
	waiting,
	writes,
	leakedWrites,
	journal,
	secrets,
}: Conduct): string[] {
	const { hanging, unknownMessages, leaks } = evidence;
	return [
		...hanging,
		...(waiting === 0 ? [] : [`${waiting} waits of the node go on although every execution has ended`]),
		...[...unknownMessages].map((message) => `A message that is in no table: ${message}`),
		...[...leaks].map((where) => `The API key stands in ${where}`),
		...leakedWrites.map((text) => `The API key was written to the log or the console: ${text.trim()}`),
		...(writes > 0 ? [] : ['Nothing was logged, so it is not known whether the API key would be']),
		...journal
			.filter((entry) => secrets.some((secret) => JSON.stringify(entry).includes(secret)))
			.map(({ sequence }) => `The API key stands outside of the header of request ${sequence}`),
	];
}

/**
 * Whether replies suffered as they were meant to: a campaign without faults would prove nothing. Both may differ from
 * what is meant as much as dice do.
 */
export function checkFaults(faults: FaultView[], journal: JournalEntry[]): string[] {
	const requests = journal.length;
	const fired = faults.reduce((sum, fault) => sum + fault.fired, 0);
	const tolerance = 5 * Math.sqrt(requests * FAULT_SHARE * (1 - FAULT_SHARE));
	const meant = requests * FAULT_SHARE;
	return [
		...(Math.abs(fired - meant) <= tolerance
			? []
			: [`${fired} of ${requests} replies suffered a fault, and ${Math.round(meant)} were meant`]),
		...faults
			.filter(({ matched, probability = 1, fired: count }) => matched * probability > 20 && count === 0)
			.map(({ id, kind, when }) => `Fault ${id} (${kind}, ${when}) struck no request`),
	];
}
