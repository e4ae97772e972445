import { watchOutput } from './outputWatch';

test('what is written is taken in, and a secret in it is told without telling it', () => {
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
