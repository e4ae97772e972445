import { readdirSync, readFileSync } from 'node:fs'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published

/** Returns the resident memory in MiB of a worker: the largest process below this one, without n8n's task runner. */
export function residentMemory(pid: number): number {
	const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	const status = (name: string): string => {
		try {
			return readFileSync(`/proc/${name}/status`, 'utf8');
		} catch {
			// The process has ended.
			return '';
		}
	};
	const number = (text: string, field: string) =>
		Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
	const children = processes.map(status).filter((text) => number(text, 'PPid') === pid);
	return Math.round(Math.max(0, ...children.map((text) => number(text, 'VmRSS'))) / 1024);
}
