import type { IPollFunctions } from 'n8n-workflow';
import { parseBoolean } from '../actions/fields/boolean';
import { extractId } from '../actions/fields/idIn';
import { parseInteger } from '../actions/fields/number';
import { DEFAULT_REQUEST_TIMEOUT, MAX_REQUEST_TIMEOUT } from '../actions/fields/requestTimeout';
import { checkFieldNames } from '../parameters/outputFields';
import { valueOrThrow } from '../actions/fields/unwrap';
import { parseStringList } from '../actions/fields/words';
import type { FieldSelection } from '../actions/selectFields';
import { DEFAULT_FAILED_STATUSES } from '../actions/waiting/defaultStatuses';
import { matchesStatus } from '../model/runStatus';
import { isInvalid, type Validated } from '../messages/userMessage';
import { checkResourceId } from '../model/resourceId';
import { toText } from '../transport/values';
import {
	DEFAULT_MAX_ITEMS,
	DEFAULT_MAX_REQUESTS,
	MAX_MAX_ITEMS,
	MAX_MAX_REQUESTS,
	MIN_MAX_REQUESTS,
	triggerEvents,
	type TriggerEvent,
} from './fields';

/** The trigger's parameters. */
export interface TriggerSettings {
	event: TriggerEvent;
	/** IDs of the Prospector workflows to watch; undefined for all. */
	workflowIds?: string[];
	/** Statuses of interest, in any spelling that `isAmong` accepts; any status if empty. */
	runStatuses: string[];
	/** Whether what exists at activation is new. */
	includeExisting: boolean;
	/** Maximum number of items per poll. */
	maxItems: number;
	/** Maximum number of requests per poll. */
	maxRequests: number;
	/** Items per request; the service's own number if undefined. */
	pageSize?: number;
	/** Milliseconds. */
	timeout: number;
	shape: FieldSelection;
}

/**
 * Reads the parameters.
 *
 * @throws NodeOperationError when one of them can't be used
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const parameter = (name: string): unknown => context.getNodeParameter(name, '');
	const option = (name: string): unknown => context.getNodeParameter(`options.${name}`, '');
	const integer = (name: string, label: string, fallback: number, max: number, min = 1) => {
		const value = option(name);
		return valueOrThrow(context, parseInteger(value === '' ? fallback : value, label, min, max));
	};
	const boolean = (value: unknown, label: string) =>
		valueOrThrow(context, parseBoolean(value === '' ? false : value, label));
	const event = valueOrThrow(context, checkEvent(parameter('event')));
	return {
		event,
		workflowIds: valueOrThrow(context, chosenWorkflows(parameter)),
		runStatuses:
			event === 'newRun'
				? []
				: valueOrThrow(context, parseStringList(option('runStatuses'), 'Run Statuses', 'completed, failed')),
		includeExisting: boolean(option('includeExisting'), 'Include Existing'),
		maxItems: integer('maxItems', 'Max Items per Poll', DEFAULT_MAX_ITEMS, MAX_MAX_ITEMS),
		maxRequests: integer(
			'maxRequests',
			'Max Requests per Poll',
			DEFAULT_MAX_REQUESTS,
			MAX_MAX_REQUESTS,
			MIN_MAX_REQUESTS,
		),
		pageSize:
			option('pageSize') === '' ? undefined : integer('pageSize', 'Page Size', 50, Number.MAX_SAFE_INTEGER),
		timeout:
			integer('requestTimeout', 'Request Timeout', DEFAULT_REQUEST_TIMEOUT, MAX_REQUEST_TIMEOUT) * 1000,
		shape: {
			simplify: boolean(parameter('simplify'), 'Simplify'),
			fields: valueOrThrow(context, checkFieldNames(option('fieldsToReturn'))),
		},
	};
}

/** Whether the trigger reports runs with this status. */
export function isWantedStatus(
	{ event, runStatuses }: Pick<TriggerSettings, 'event' | 'runStatuses'>,
	status: string,
): boolean {
	if (event === 'newRun') return true;
	const wanted = event === 'runFailed' && runStatuses.length === 0 ? DEFAULT_FAILED_STATUSES : runStatuses;
	return wanted.length === 0 || matchesStatus(status, wanted);
}

function checkEvent(event: unknown): Validated<TriggerEvent> {
	const known = triggerEvents.find((name) => name === event);
	if (known) return { value: known };
	return {
		message: `'Trigger On' has no option '${toText(event)}'`,
		description: "Pick one in 'Trigger On'",
	};
}

/** @returns undefined for all */
function chosenWorkflows(parameter: (name: string) => unknown): Validated<string[] | undefined> {
	const watch = parameter('watch');
	if (watch === 'all') return { value: undefined };
	if (watch !== 'several') {
		const id = checkResourceId(extractId(parameter('workflowId')), 'Prospector Workflow');
		return isInvalid(id) ? id : { value: [id.value] };
	}
	const entries = parseStringList(parameter('workflowIds'), 'Prospector Workflows', 'wf_1a2b3c, wf_4d5e6f');
	if (isInvalid(entries)) return entries;
	const ids: string[] = [];
	for (const entry of entries.value) {
		const id = checkResourceId(entry, 'Prospector Workflows');
		if (isInvalid(id)) return id;
		ids.push(id.value);
	}
	if (ids.length > 0) return { value: [...new Set(ids)] };
	return {
		message: "'Prospector Workflows' is empty",
		description: "Pick at least one Prospector workflow, or choose 'All Prospector Workflows'",
	};
}
