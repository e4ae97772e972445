/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import type { ForkOptions } from 'node:child_process';
import type { Behaviour, BehaviourCounts } from '../../test/simulator/behaviours';
import storedHistories from '../../test/simulator/histories.json';
import { type History, HistoryViolation, playHistories, replayHistory } from '../../test/simulator/play';
import type { HistorySettings, TriggerEvent } from '../../test/simulator/settings';
import { callInChild, serveInChild } from '../shared/childProcess';

/** Number of histories with one fast-check seed. */
const CHUNK = 10;

/** What one process plays: each n-th chunk. */
export interface Part {
	seed: number;
	histories: number;
	events: TriggerEvent[];
	first: number;
	processes: number;
	/** Whether the stored histories are played first. */
	playsStored?: boolean;
	/** Whether a history that violates a rule is not shrunk. */
	endOnFailure?: boolean;
	/** Settings that all histories have. */
	settings?: Partial<HistorySettings>;
}

export interface PartReport {
	counts: Array<[Behaviour, number]>;
	histories: number;
	/** The first violation, and the seed of its chunk; undefined for a stored history. */
	found?: Pick<HistoryViolation, 'message' | 'history' | 'summary'> & { seed?: number };
}

/** Plays a part in a process of its own. The result is undefined if the process is ended before. */
export const forkPart = (part: Part, options?: ForkOptions) =>
	callInChild<PartReport>(__filename, part, options);

async function playPart(part: Part): Promise<PartReport> {
	const { seed, histories, events, first, processes, playsStored, ...options } = part;
	const counts: BehaviourCounts = new Map();
	let played = 0;
	const report = (found?: PartReport['found']) => ({ counts: [...counts], histories: played, found });
	// What was found once is found first.
	for (const stored of playsStored ? (storedHistories as History[]) : []) {
		if (!events.includes(stored.event)) continue;
		played++;
		const found = await replayHistory(stored).catch((failure: unknown) => failure as Error);
		if (found instanceof HistoryViolation) return report(pick(found));
		if (found) throw found;
	}
	for (let chunk = first; chunk * CHUNK < histories; chunk += processes) {
		const event = events[chunk % events.length];
		const found = await playHistories(event, seed + chunk, CHUNK, counts, options);
		played += found?.histories ?? CHUNK;
		if (found) return report({ ...pick(found), seed: seed + chunk });
	}
	return report();
}

const pick = ({ message, history, summary }: HistoryViolation) => ({ message, history, summary });

serveInChild(playPart);
