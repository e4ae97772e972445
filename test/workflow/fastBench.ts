import { systemClock } from '../../nodes/Prospector/transport/retry/clock';
import type { SandboxSettings } from '../../sandbox/settings';
import { fastClock, replaceTiming } from '../fastClock';
import { startEnvironment } from './support';

/**
 * A bench on which the node and the sandbox share a fast clock, so that pauses and the limit's minute are short.
 *
 * @param speed seconds that pass for them in a real one
 */
export async function startFastEnvironment(settings: Partial<SandboxSettings> = {}, speed = 100) {
	const clock = fastClock(speed);
	const restore = replaceTiming(systemClock, clock.timing);
	const bench = await startEnvironment(settings, { clock: clock.now });
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

export type FastEnvironment = Awaited<ReturnType<typeof startFastEnvironment>>;
