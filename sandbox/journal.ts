import type { SandboxSettings } from './settings';
import type { JournalEntry } from './types';

/** What came in and what became of it. */
export class Journal {
	private entries: JournalEntry[] = [];
	private count = 0;

	constructor(private readonly settings: SandboxSettings) {}

	/** Opens the entry of a request at its arrival; it is filled in as things happen. */
	open(arrival: Pick<JournalEntry, ArrivalField>): JournalEntry {
		const entry: JournalEntry = {
			sequence: ++this.count,
			...arrival,
			status: null,
			requestId: null,
			fault: null,
			committed: false,
			replayed: false,
			reason: null,
		};
		this.entries.push(entry);
		// In batches: cutting one entry off a long array at every request would be slow.
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
		const gone = this.size;
		this.entries = [];
		return gone;
	}
}

type ArrivalField =
	| 'time'
	| 'method'
	| 'path'
	| 'query'
	| 'keyName'
	| 'operation'
	| 'idempotencyKey'
	| 'body'
	| 'contentType'
	| 'userAgent'
	| 'hasAuthorization';
