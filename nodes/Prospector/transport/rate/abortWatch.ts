/** Listens to signals once each, however many wait with the same one: Node.js warns of many listeners. */
export class AbortWatch {
	private readonly watched = new Map<AbortSignal, { count: number; listener: () => void }>();

	/** @param onAbort told of a signal that was given while it was watched */
	constructor(private readonly onAbort: (signal: AbortSignal) => void) {}

	/** To be taken back by {@link unwatch}. */
	watch(signal: AbortSignal): void {
		const entry = this.watched.get(signal) ?? { count: 0, listener: () => this.onAbort(signal) };
		if (entry.count++ > 0) return;
		this.watched.set(signal, entry);
		signal.addEventListener('abort', entry.listener);
	}

	unwatch(signal: AbortSignal): void {
		const entry = this.watched.get(signal);
		if (entry === undefined || --entry.count > 0) return;
		this.watched.delete(signal);
		signal.removeEventListener('abort', entry.listener);
	}
}
