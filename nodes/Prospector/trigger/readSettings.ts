import type { IPollFunctions } from 'n8n-workflow';
import { checkBoolean } from '../actions/fields/boolean';
import { idIn } from '../actions/fields/idIn';
import { checkWholeNumber } from '../actions/fields/number';
import { unwrap } from '../actions/fields/unwrap';
import { checkWords } from '../actions/fields/words';
import { isProblem, type Checked } from '../transport/checked';
import { checkResourceId } from '../transport/resourceId';
import { toText } from '../transport/values';
import { MOST_HELD } from './candidates';
import { DEFAULT_MAX_ITEMS } from './triggerFields';
import { TRIGGER_EVENTS, type TriggerEvent, type TriggerSettings } from './triggerSettings';

/**
 * What a person chose.
 *
 * @throws NodeOperationError when a field cannot be used
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const parameter = (name: string): unknown => context.getNodeParameter(name, '');
	const option = (name: string): unknown => context.getNodeParameter(`options.${name}`, '');
	const whole = (name: string, label: string, otherwise: number, most: number) => {
		const set = option(name);
		return unwrap(context, checkWholeNumber(set === '' ? otherwise : set, label, 1, most));
	};
	const event = parameter('event') as TriggerEvent;
	return {
		event: unwrap(context, checkEvent(event)),
		workflowIds: unwrap(context, chosenWorkflows(parameter)),
		statuses:
			event === 'newRun'
				? []
				: unwrap(context, checkWords(option('statuses'), 'Statuses', 'completed, failed')),
		startWithExisting: unwrap(context, checkBoolean(option('startWithExisting'), 'Start With What Exists')),
		maxItems: whole('maxItems', 'Max Items per Poll', DEFAULT_MAX_ITEMS, MOST_HELD),
		pageSize:
			option('pageSize') === '' ? undefined : whole('pageSize', 'Page Size', 50, Number.MAX_SAFE_INTEGER),
		timeout: whole('requestTimeout', 'Request Timeout', 60, 3600) * 1000,
	};
}

function checkEvent(event: TriggerEvent): Checked<TriggerEvent> {
	if (TRIGGER_EVENTS.includes(event)) return { value: event };
	return {
		message: `'Event' has no choice '${toText(event)}'`,
		description: "Pick one in 'Event'",
	};
}

/** @returns undefined for all */
function chosenWorkflows(parameter: (name: string) => unknown): Checked<string[] | undefined> {
	const scope = parameter('workflowScope');
	if (scope === 'all') return { value: undefined };
	if (scope !== 'several') {
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
