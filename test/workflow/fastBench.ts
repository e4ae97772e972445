import { realTiming } from '../../nodes/Prospector/transport/timing';
import type { SandboxSettings } from '../../sandbox/settings';
import { fastClock, replaceTiming } from '../campaign/clock';
import { startBench } from './support';

/** So many seconds pass for the node and the service in a real one: a minute in a little more than half a second. */
const SPEED = 100;

/** A bench on which the node and the sandbox share a fast clock, so that its pauses and the limit's minute are short. */
export async function startFastBench(settings: Partial<SandboxSettings> = {}) {
	const clock = fastClock(SPEED);
	const restore = replaceTiming(realTiming, clock.timing);
	const bench = await startBench(settings, { clock: clock.now });
	const close = async () => {
		restore();
		await bench.close();
	};
	return {
		...bench,
		clock,
		close,
		journal: () => bench.sandbox.control.journal(),
		/** Milliseconds between the first and the last request, on the fast clock. */
		duration() {
			const times = bench.sandbox.control.journal().map(({ time }) => Date.parse(time));
			return Math.max(...times) - Math.min(...times);
		},
	};
}

export type FastBench = Awaited<ReturnType<typeof startFastBench>>;
