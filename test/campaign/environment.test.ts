import { fastClock } from '../fastClock';
import { watchOutput } from './outputWatch';

test('the fast clock stands still while the process stalls', () => {
	const clock = fastClock(1000);
	const begin = clock.now();
	const stallEnd = performance.now() + 100;
	while (performance.now() < stallEnd);
	expect(clock.now() - begin).toBeLessThanOrEqual(10_000);
});

test('a wait on the fast clock counts as pending until it ends or is aborted', async () => {
	const clock = fastClock(1000);
	const begin = clock.now();
	expect(await clock.timing.sleep(5000)).toBe(true);
	expect(clock.now() - begin).toBeGreaterThanOrEqual(5000);
	const controller = new AbortController();
	const wait = clock.timing.sleep(86_400_000, controller.signal);
	expect(clock.waiting()).toBe(1);
	controller.abort();
	expect(await wait).toBe(false);
	expect(clock.waiting()).toBe(0);
});

test('watchOutput counts writes to the console and the streams, and shows leaks without the secret', () => {
	const write = process.stdout.write;
	const watch = watchOutput(['s3cret']);
	process.stdout.write('harmless\n');
	process.stderr.write(Buffer.from('key s3cret\n'));
	console.log('once more: s3cret');
	watch.end();
	expect(watch.writes()).toBe(3);
	expect(watch.leaks()).toHaveLength(2);
	expect(watch.leaks().join()).toContain('key [API key]');
	expect(watch.leaks().join()).not.toContain('s3cret');
	expect(process.stdout.write).toBe(write);
});
