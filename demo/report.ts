import Table from 'cli-table3';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RequestRecord } from './wire';

/** More rows than this say nothing new on a screen. */
const MAX_ROWS = 25;

/** Plain characters, and no line between rows. */
const look = {
	style: { head: [], border: [] },
	chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
};

/** The leads that were found, each with the request that brought it. */
export function leadsTable(items: INodeExecutionData[]): string {
	const table = new Table({ head: ['Company', 'Lead', 'request_id'], ...look });
	for (const { json } of items.slice(0, MAX_ROWS)) {
		table.push([text(json, 'company_name'), text(json, 'lead_id'), text(json, 'request_id')]);
	}
	return table.toString() + more(items.length);
}

/** The requests that were made, in their order, each write with its idempotency key. */
export function requestsTable(entries: RequestRecord[]): string {
	const table = new Table({ head: ['Request', 'Status', 'request_id', 'Idempotency-Key'], ...look });
	for (const { method, path, status, requestId, idempotencyKey } of entries.slice(0, MAX_ROWS)) {
		table.push([`${method} ${path}`, status, requestId, shortened(idempotencyKey)]);
	}
	return table.toString() + more(entries.length);
}

/** The keys in full, since the table has no room for them. */
export function keysInFull(entries: RequestRecord[]): string {
	const keys = [...new Set(entries.map(({ idempotencyKey }) => idempotencyKey).filter(Boolean))];
	return keys.map((key) => `  ${shortened(key)} = ${key}`).join('\n');
}

const text = (json: IDataObject, field: string) => String(json[field] ?? '');

const shortened = (key: string) => (key.length > 20 ? `${key.slice(0, 16)}…` : key);

const more = (count: number) => (count > MAX_ROWS ? `\n… and ${count - MAX_ROWS} more` : '');
