import type { SandboxSettings } from './settings';
import type { JournalEntry } from './types';

const NO_OUTCOME = {
	status: null,
	requestId: null,
	fault: null,
	committed: false,
	replayed: false,
	reason: null,
};

/** All API requests and their outcomes. */
export class Journal {
	private entries: JournalEntry[] = [];
	private count = 0;

	constructor(private readonly settings: SandboxSettings) {}

	/** Adds an entry when a request arrives. The caller completes it later. */
	add(arrival: Omit<JournalEntry, 'sequence' | keyof typeof NO_OUTCOME>): JournalEntry {
		const entry: JournalEntry = {
			sequence: ++this.count,
			...arrival,
			...NO_OUTCOME,
		};
		this.entries.push(entry);
		// In batches, because trimming a long array at every request would be slow.
		const { journalSize } = this.settings;
		if (this.entries.length > journalSize * 1.1) this.entries = this.entries.slice(-journalSize);
		return entry;
	}

	list(): JournalEntry[] {
		return this.entries.slice(-this.settings.journalSize).map((entry) => ({ ...entry }));
	}

	get size(): number {
		return Math.min(this.entries.length, this.settings.journalSize);
	}

	clear(): number {
		const removed = this.size;
		this.entries = [];
		return removed;
	}
}
