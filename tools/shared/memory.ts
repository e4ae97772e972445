import { readdirSync, readFileSync, writeFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

/** A field of `/proc/PID/status`: the parent, the resident memory, or the peak of that. */
function read(pid: number | string, field: 'PPid' | 'VmRSS' | 'VmHWM'): number {
	try {
		const text = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
	} catch {
		// The process has ended.
		return 0;
	}
}

/** Returns a process's memory in bytes. */
export const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => read(pid, field) * 1024;

/** Lets the peak begin at the memory that is resident now; see proc_pid_clear_refs(5). */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Clock ticks per second on Linux; see proc_pid_stat(5). */
const TICKS = 100;

/** Returns the processor time in seconds that a process has used since its start. */
export function processorSeconds(pid: number): number {
	// The name of the program, in parentheses, can contain spaces.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Returns the largest process below this one, without n8n's task runner; 0 if there is none. */
export function programBelow(pid: number): number {
	const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && read(name, 'PPid') === pid);
	return Number(children.sort((a, b) => read(b, 'VmRSS') - read(a, 'VmRSS'))[0] ?? 0);
}

/** Returns the resident memory in MiB of a worker. */
export const residentMemory = (pid: number): number =>
	Math.round(memoryOf(programBelow(pid), 'VmRSS') / 1024 ** 2);
