import { setImmediate as nextTurn } from 'node:timers/promises';
import { leastOfTen, processorMsSince } from '../../processorTime';

let lines: string[] = [];

/** Records what is written to the console instead of showing it. Jest's console can have streams of its own. */
export function captureLog(): void {
	lines = [];
	// Everything that n8n can log. Its logger reads this when it is first used.
	Object.assign(process.env, { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
	const keep = (text: unknown) => lines.push(String(text)) > 0;
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream>;
	for (const stream of new Set([process.stdout, process.stderr, out, err])) {
		jest.spyOn(stream, 'write').mockImplementation(keep);
	}
}

/** Returns the text that was written since {@link captureLog}. */
export const capturedLog = (): string => lines.join('');

export function releaseLog(): void {
	jest.restoreAllMocks();
}

/** The objects that all objects of this process share. The service's data must never change them. */
const SHARED: Array<[string, object]> = [
	['Object', Object],
	['Object.prototype', Object.prototype],
	...Reflect.ownKeys(Object.prototype).flatMap((name): Array<[string, object]> => {
		const value = valueOf(Object.prototype, name);
		return typeof value === 'function' ? [[`Object.prototype.${String(name)}`, value]] : [];
	}),
	['Function.prototype', Function.prototype],
	['Array.prototype', Array.prototype],
	['String.prototype', String.prototype],
	['Map.prototype', Map.prototype],
	['Promise.prototype', Promise.prototype],
];

function valueOf(object: object, name: PropertyKey): unknown {
	return Reflect.getOwnPropertyDescriptor(object, name)?.value;
}

type Snapshot = Array<[string, object, Map<string | symbol, unknown>]>;

const propertiesOf = (object: object) =>
	new Map(Reflect.ownKeys(object).map((name) => [name, valueOf(object, name)]));

export const snapshotPrototypes = (): Snapshot =>
	SHARED.map(([title, object]) => [title, object, propertiesOf(object)]);

/** Returns the names of shared properties that were added, changed or removed since then, and restores them. */
export function changesSince(snapshot: Snapshot): string[] {
	const changes: string[] = [];
	for (const [title, object, before] of snapshot) {
		const now = propertiesOf(object);
		for (const name of new Set([...before.keys(), ...now.keys()])) {
			const isSame = before.has(name) && now.has(name) && Object.is(before.get(name), now.get(name));
			if (isSame) continue;
			changes.push(`${title}.${String(name)}`);
			// Otherwise every later test would fail, and Jest with them.
			if (before.has(name)) Reflect.set(object, name, before.get(name));
			else Reflect.deleteProperty(object, name);
		}
	}
	return changes;
}

// Tests replace the function.
const now = performance.now.bind(performance);

/**
 * Watches the event loop. A gap between two checks counts only as far as this process used the CPU in between: on a
 * busy machine it may have to wait for other processes.
 *
 * @returns a function that stops watching and returns the longest time in milliseconds for which the loop was blocked
 */
export function watchEventLoop(): () => number {
	let longest = 0;
	let last = now();
	let cpu = process.cpuUsage();
	const check = () => {
		const time = now();
		longest = Math.max(longest, Math.min(time - last, processorMsSince(cpu)));
		cpu = process.cpuUsage();
		last = time;
	};
	const timer = setInterval(check, 5);
	return () => {
		check();
		clearInterval(timer);
		return longest;
	};
}

/** Runs something and returns the longest time in milliseconds for which it blocked the event loop. */
export async function longestBlock(task: () => Promise<unknown>): Promise<number> {
	await nextTurn();
	const stop = watchEventLoop();
	await task().catch(() => {});
	await nextTurn();
	return stop();
}

/** Like {@link longestBlock}, but the least of up to ten times. */
export const leastBlock = async (task: () => Promise<unknown>, limitMs: number): Promise<number> =>
	await leastOfTen(async () => await longestBlock(task), limitMs);
