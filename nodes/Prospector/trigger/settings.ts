import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { matchesStatus, runOutcome } from '../model/runStatus';
import { pageSize } from '../parameters/getManyOptions';
import { parseId, readCachedName, workflowLocator } from '../parameters/locators';
import { RESULT_FIELDS_EXAMPLE, selectionWithSimplify } from '../parameters/fieldSelection';
import { field, option, type Parameter, readParameters, type ValuesOf } from '../parameters/parameter';
import { choice, integer, stringList, toggle } from '../parameters/parse';
import { createRawParameters } from '../parameters/parameterReader';
import { definedFields } from '../utils';

const EVENT_CHOICE = choice([
	{ name: 'New Result', value: 'newResult', description: 'When a run has found a company' },
	{ name: 'New Run', value: 'newRun', description: 'When a run was started, in n8n or elsewhere' },
	{ name: 'Run Failed', value: 'runFailed', description: 'When a run has ended without success' },
	{ name: 'Run Finished', value: 'runFinished', description: 'When a run has finished, with its results' },
	{
		name: 'Run Status Changed',
		value: 'runStatusChanged',
		description: 'When a run is new or its status has changed',
	},
]);

const workflowId = workflowLocator('The Prospector workflow to watch');

/** IDs of the Prospector workflows to watch; undefined for all. */
const workflowIds: Parameter<string[] | undefined> = {
	fields: [
		{
			displayName: 'Watch',
			name: 'watch',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'All Prospector Workflows', value: 'all' },
				{ name: 'One Prospector Workflow', value: 'one' },
				{ name: 'Several Prospector Workflows', value: 'several' },
			],
			default: 'all',
			description:
				'Which Prospector workflows to watch. Each poll sends one request per Prospector workflow.',
		},
		...(workflowId.fields ?? []).map((one) => ({ ...one, displayOptions: { show: { watch: ['one'] } } })),
		{
			displayName: 'Prospector Workflow Names or IDs',
			name: 'workflowIds',
			type: 'multiOptions',
			required: true,
			default: [],
			typeOptions: { loadOptionsMethod: 'getWorkflows' },
			displayOptions: { show: { watch: ['several'] } },
			description:
				'The Prospector workflows to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	],
	read(values) {
		const watch = values.getField('watch', 'all');
		if (watch === 'all') return undefined;
		if (watch !== 'several') return [workflowId.read(values)];
		const label = 'Prospector Workflow Names or IDs';
		const ids = stringList('wf_1a2b3c, wf_4d5e6f').parse(values.getField('workflowIds', []), label);
		if (ids.length === 0) {
			fail(
				`'${label}' is empty`,
				"Pick at least one Prospector workflow, or choose 'All Prospector Workflows'",
			);
		}
		return [...new Set(ids.map((id) => parseId(id, label)))];
	},
};

export const triggerParameters = {
	event: field(EVENT_CHOICE, {
		displayName: 'Trigger On',
		name: 'event',
		noDataExpression: true,
		default: 'newResult',
		builderHint: { propertyHint: 'newResult emits each lead, runFinished those of a run, the others runs' },
	}),
	workflowIds,
	fieldSelection: selectionWithSimplify(RESULT_FIELDS_EXAMPLE, false),
	includeExisting: option(toggle, {
		displayName: 'Include Existing',
		name: 'includeExisting',
		description:
			'Whether to also return what is there already when the workflow is activated for the first time',
	}),
	maxItems: option(integer(1, 10_000), {
		displayName: 'Max Items per Poll',
		name: 'maxItems',
		default: 1000,
		description: 'Most items to return at once, oldest first. The next poll returns the rest.',
	}),
	maxRequests: option(integer(5, 1000), {
		displayName: 'Max Requests per Poll',
		name: 'maxRequests',
		default: 30,
		description:
			'Requests per poll, on average. If the service rejects a cursor, a poll can send up to ten times as many, and the next polls send fewer. The next poll continues with what is most urgent.',
	}),
	pageSize,
	returnRun: option(toggle, {
		displayName: 'Return Run',
		name: 'returnRun',
		displayOptions: { show: { '/event': ['runFinished'] } },
		description: 'Whether to return the run instead of one item per result',
	}),
	/** Statuses of interest, in any spelling that `matchesStatus` accepts; any status if empty. */
	runStatuses: option(stringList('completed, failed'), {
		displayName: 'Run Statuses',
		name: 'runStatuses',
		placeholder: 'e.g. completed, failed',
		displayOptions: { show: { '/event': ['newResult', 'runFailed', 'runFinished', 'runStatusChanged'] } },
		description:
			'Only runs with these statuses, separated by commas. With New Result, results are returned once their run has one of them. With Run Failed and Run Finished, they replace the built-in words for such a run.',
	}),
};

export type TriggerSettings = ValuesOf<typeof triggerParameters> & {
	/** Whether the items are results, not runs. */
	returnsResults: boolean;
	/** Whether the results of a run are returned together. */
	returnsResultsTogether: boolean;
	/** The names of Prospector workflows that are known without a request, by ID. */
	workflowNames: Map<string, string>;
};

/** @param workflowNames gains the name that n8n has stored with a picked Prospector workflow. @throws UserError */
export function readTriggerSettings(context: IPollFunctions, workflowNames = new Map<string, string>()) {
	const getField = (name: string, fallback: unknown): unknown => context.getNodeParameter(name, fallback);
	const parameters = readParameters(triggerParameters, createRawParameters(getField));
	const returnsResultsTogether = parameters.event === 'runFinished' && !parameters.returnRun;
	const returnsResults = parameters.event === 'newResult' || returnsResultsTogether;
	const settings = { ...parameters, returnsResults, returnsResultsTogether, workflowNames };
	const locator = context.getNode().parameters.workflowId as IDataObject | undefined;
	addWorkflowName(settings, { id: locator?.value, name: readCachedName(locator) });
	return settings;
}

/** Most names that are kept, and most characters of each. */
const MAX_NAMES = 10_000;
const MAX_NAME_LENGTH = 1000;

/** Keeps the name of a Prospector workflow, if it has one. */
export function addWorkflowName({ workflowNames }: TriggerSettings, { id, name }: IDataObject): void {
	if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) return;
	if (workflowNames.size < MAX_NAMES) workflowNames.set(String(id), name);
}

/** Returns the fields that name the Prospector workflow of an item. */
export const workflowOutputFields = ({ workflowNames }: TriggerSettings, workflowId: string): IDataObject =>
	definedFields({ workflow_id: workflowId, workflow_name: workflowNames.get(workflowId) });

export function isWantedStatus({ event, runStatuses }: TriggerSettings, status: string): boolean {
	if (event === 'newRun') return true;
	if (runStatuses.length > 0) return matchesStatus(status, runStatuses);
	const outcome = runOutcome(status);
	if (event === 'runFinished') return outcome === 'finished' || outcome === 'partial';
	return event !== 'runFailed' || outcome === 'failed';
}
