import { Semaphore } from '../../../nodes/Prospector/transport/semaphore';
import { flushPromises } from '../helpers/fakeClock';

test('a semaphore admits as many as it has places, and the next ones in their order as soon as a place is free', async () => {
	const semaphore = new Semaphore(2);
	const admitted: number[] = [];
	const releases: Array<() => void> = [];
	for (let i = 0; i < 5; i++) {
		void semaphore.acquire().then((release) => {
			admitted.push(i);
			releases.push(release);
		});
	}
	for (const count of [2, 3, 4, 5]) {
		await flushPromises();
		expect(admitted).toEqual([0, 1, 2, 3, 4].slice(0, count));
		releases.shift()!();
	}
	// The places are free again.
	releases.shift()!();
	for (let i = 5; i < 8; i++) void semaphore.acquire().then(() => admitted.push(i));
	await flushPromises();
	expect(admitted.slice(5)).toEqual([5, 6]);
});
