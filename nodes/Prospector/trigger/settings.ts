import type { IPollFunctions } from 'n8n-workflow';
import { checkBoolean } from '../actions/fields/boolean';
import { idIn } from '../actions/fields/idIn';
import { checkWholeNumber } from '../actions/fields/number';
import { DEFAULT_REQUEST_TIMEOUT, MAX_REQUEST_TIMEOUT } from '../actions/fields/requestTimeout';
import { checkFieldNames } from '../actions/fields/shaping';
import { unwrap } from '../actions/fields/unwrap';
import { checkWords } from '../actions/fields/words';
import type { Shape } from '../actions/shape';
import { DEFAULT_FAILED_STATUSES } from '../actions/waiting/defaultStatuses';
import { isAmong } from '../actions/waiting/runStatus';
import { isProblem, type Checked } from '../transport/checked';
import { checkResourceId } from '../transport/resourceId';
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
	shape: Shape;
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
		return unwrap(context, checkWholeNumber(value === '' ? fallback : value, label, min, max));
	};
	const boolean = (value: unknown, label: string) =>
		unwrap(context, checkBoolean(value === '' ? false : value, label));
	const event = unwrap(context, checkEvent(parameter('event')));
	return {
		event,
		workflowIds: unwrap(context, chosenWorkflows(parameter)),
		runStatuses:
			event === 'newRun'
				? []
				: unwrap(context, checkWords(option('runStatuses'), 'Run Statuses', 'completed, failed')),
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
			fields: unwrap(context, checkFieldNames(option('fieldsToReturn'))),
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
	return wanted.length === 0 || isAmong(status, wanted);
}

function checkEvent(event: unknown): Checked<TriggerEvent> {
	const known = triggerEvents.find((name) => name === event);
	if (known) return { value: known };
	return {
		message: `'Trigger On' has no option '${toText(event)}'`,
		description: "Pick one in 'Trigger On'",
	};
}

/** @returns undefined for all */
function chosenWorkflows(parameter: (name: string) => unknown): Checked<string[] | undefined> {
	const watch = parameter('watch');
	if (watch === 'all') return { value: undefined };
	if (watch !== 'several') {
		const id = checkResourceId(idIn(parameter('workflowId')), 'Prospector Workflow');
		return isProblem(id) ? id : { value: [id.value] };
	}
	const entries = checkWords(parameter('workflowIds'), 'Prospector Workflows', 'wf_1a2b3c, wf_4d5e6f');
	if (isProblem(entries)) return entries;
	const ids: string[] = [];
	for (const entry of entries.value) {
		const id = checkResourceId(entry, 'Prospector Workflows');
		if (isProblem(id)) return id;
		ids.push(id.value);
	}
	if (ids.length > 0) return { value: [...new Set(ids)] };
	return {
		message: "'Prospector Workflows' is empty",
		description: "Pick at least one Prospector workflow, or choose 'All Prospector Workflows'",
	};
}
