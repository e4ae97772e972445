import Table from 'cli-table3';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RequestRecord } from './recordRequests';

const MAX_ROWS = 25;

/** Without colors and lines between rows. */
const tableStyle = {
	style: { head: [], border: [] },
	chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
};

export function leadsTable(items: INodeExecutionData[]): string {
	const table = new Table({ head: ['Company', 'Lead', 'request_id'], ...tableStyle });
	for (const { json } of items.slice(0, MAX_ROWS)) {
		table.push([text(json, 'company_name'), text(json, 'lead_id'), text(json, 'request_id')]);
	}
	return table.toString() + omittedRows(items.length);
}

export function requestsTable(requests: RequestRecord[]): string {
	const table = new Table({ head: ['Request', 'Status', 'request_id', 'Idempotency-Key'], ...tableStyle });
	for (const { method, path, status, requestId, idempotencyKey } of requests.slice(0, MAX_ROWS)) {
		table.push([`${method} ${path}`, status, requestId, truncate(idempotencyKey)]);
	}
	return table.toString() + omittedRows(requests.length);
}

/** Lists the idempotency keys that requestsTable truncates. */
export function fullKeys(requests: RequestRecord[]): string {
	const keys = [...new Set(requests.map(({ idempotencyKey }) => idempotencyKey).filter(Boolean))];
	return keys.map((key) => `  ${truncate(key)} = ${key}`).join('\n');
}

const text = (json: IDataObject, field: string) => String(json[field] ?? '');

const truncate = (key: string) => (key.length > 20 ? `${key.slice(0, 16)}…` : key);

const omittedRows = (count: number) => (count > MAX_ROWS ? `\n… and ${count - MAX_ROWS} more` : '');
