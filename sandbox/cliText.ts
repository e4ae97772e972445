import Table from 'cli-table3';
import type { JournalEntry, ReadyMadeKeys, Sandbox } from './types';

const PURPOSES: Record<keyof ReadyMadeKeys, string> = {
	full: 'everything works',
	readOnlyScope: 'writes: 403 (no scope prospector.run)',
	noMeRead: 'GET /me: 403 (no scope me.read)',
	readOnlyMembership: 'writes: 403 (whatever its scopes say)',
	revoked: '401 everywhere',
	expired: '401 everywhere',
};

/** What the command prints at its start. The last line tells scripts that requests are taken. */
export function welcome({ baseUrl, controlUrl, keys }: Sandbox): string {
	const table = new Table({ head: ['API key', 'What it is for'], style: { head: [], border: [] } });
	const names = Object.keys(PURPOSES) as Array<keyof ReadyMadeKeys>;
	table.push(...names.map((name) => [keys[name], PURPOSES[name]]));
	return [
		'Prospecting workspace API, sandbox. Its data lives in memory and is gone when it stops.',
		'',
		`Base URL  ${baseUrl}`,
		`Control   ${controlUrl}/state (faults, journal, clock, seeds: any unknown path lists the calls)`,
		'',
		table.toString(),
		'',
		'Try it:',
		`  curl -H 'Authorization: Bearer ${keys.full}' ${baseUrl}/api/public/v1/prospector/workflows`,
		'Drop the connection of the next request:',
		`  curl -H 'Content-Type: application/json' -d '{"kind":"drop"}' ${controlUrl}/faults`,
		'',
		`ready ${baseUrl}`,
	].join('\n');
}

/** One line per request: time, method, path, status, key name. Never a secret. */
export function requestLine(entry: JournalEntry): string {
	const notes = [
		entry.fault && `fault ${entry.fault.kind}`,
		entry.replayed && 'replayed',
		entry.reason,
	].filter(Boolean);
	const note = notes.length > 0 ? ` (${notes.join('; ')})` : '';
	const status = entry.status ?? '---';
	return `${entry.time} ${entry.method} ${entry.path} ${status} ${entry.keyName ?? '-'}${note}`;
}
