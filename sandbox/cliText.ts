import Table from 'cli-table3';
import type { JournalEntry, ReadyMadeKeys, Sandbox } from './types';

const PURPOSES: Record<keyof ReadyMadeKeys, string> = {
	full: 'every request allowed',
	readOnlyScope: 'writes: 403 (no scope prospector.run)',
	noMeRead: 'GET /me: 403 (no scope me.read)',
	readOnlyMembership: 'writes: 403 (despite its scopes)',
	revoked: '401 everywhere',
	expired: '401 everywhere',
};

/** Returns the start-up text. Scripts wait for its last line, which means that the sandbox is ready. */
export function welcome({ baseUrl, controlUrl, keys }: Sandbox): string {
	const table = new Table({ head: ['API key', 'Behavior'], style: { head: [], border: [] } });
	const names = Object.keys(PURPOSES) as Array<keyof ReadyMadeKeys>;
	table.push(...names.map((name) => [keys[name], PURPOSES[name]]));
	return [
		'Sandbox of the prospecting workspace API. Its data is kept in memory until it stops.',
		'',
		`Base URL  ${baseUrl}`,
		`Control   ${controlUrl}/state (faults, journal, clock, seeds; any unknown path lists all requests)`,
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

/** Returns a log line without secrets: time, method, path, status and key name. */
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
