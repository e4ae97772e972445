import type { FaultView, JournalEntry } from '../../sandbox/types';
import type { Evidence } from './evidence';
import { FAULT_SHARE } from './faultMix';

/** The state after all executions have ended. */
export interface CampaignEnd {
	evidence: Pick<Evidence, 'hanging' | 'unknownMessages' | 'leaks'>;
	/** Number of the node's waits that have not ended. */
	pendingWaits: number;
	/** Number of writes to log and console, and the writes that held an API key. */
	writes: number;
	leakedWrites: string[];
	/** Every request, without the header that holds the key. */
	journal: JournalEntry[];
	secrets: string[];
}

/** Checks that everything ended, all messages are known, and the API key appears nowhere; returns the violations. */
export function behaviorChecks({
	evidence: { hanging, unknownMessages, leaks },
	pendingWaits,
	writes,
	leakedWrites,
	journal,
	secrets,
}: CampaignEnd): string[] {
	return [
		...hanging,
		...(pendingWaits > 0 ? [`${pendingWaits} waits of the node continue after the last execution`] : []),
		...[...unknownMessages].map((message) => `Unknown message: ${message}`),
		...[...leaks].map((place) => `The API key is in ${place}`),
		...leakedWrites.map((text) => `The API key was written to the log or the console: ${text.trim()}`),
		...(writes > 0 ? [] : ['Nothing was logged, so the log was not checked for the API key']),
		...journal
			.filter((entry) => secrets.some((secret) => JSON.stringify(entry).includes(secret)))
			.map(({ sequence }) => `The API key is outside of the header of request ${sequence}`),
	];
}

/**
 * Checks that as many requests as planned met a fault, because a campaign without faults would prove nothing. Allows
 * five standard deviations.
 */
export function checkFaults(faults: FaultView[], requests: number): string[] {
	const fired = faults.reduce((sum, fault) => sum + fault.fired, 0);
	const expected = requests * FAULT_SHARE;
	const tolerance = 5 * Math.sqrt(expected * (1 - FAULT_SHARE));
	return [
		...(Math.abs(fired - expected) > tolerance
			? [`${fired} of ${requests} requests met a fault instead of ${Math.round(expected)}`]
			: []),
		...faults
			.filter(({ matched, probability = 1, fired: count }) => matched * probability > 20 && count === 0)
			.map(({ id, kind, when }) => `Fault ${id} (${kind}, ${when}) applied to no request`),
	];
}
