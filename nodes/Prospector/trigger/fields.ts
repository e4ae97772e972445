import type { INodeProperties } from 'n8n-workflow';
import { pageSizeOption } from '../parameters/getMany';
import { workflowLocator } from '../parameters/locators';
import { requestTimeoutOption } from '../actions/fields/requestTimeout';
import { outputFieldsOption, simplifyField } from '../parameters/outputFields';

export const DEFAULT_MAX_ITEMS = 1000;
export const MAX_MAX_ITEMS = 10_000;
export const DEFAULT_MAX_REQUESTS = 30;
export const MIN_MAX_REQUESTS = 5;
export const MAX_MAX_REQUESTS = 1000;

export const triggerEvents = ['newResult', 'newRun', 'runFailed', 'runStatusChanged'] as const;

/** What the trigger reports. */
export type TriggerEvent = (typeof triggerEvents)[number];

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'New Result', value: 'newResult', description: 'When a run has found a company' },
		{ name: 'New Run', value: 'newRun', description: 'When a run was started, in n8n or elsewhere' },
		{ name: 'Run Failed', value: 'runFailed', description: 'When a run has ended without success' },
		{
			name: 'Run Status Changed',
			value: 'runStatusChanged',
			description: 'When a run is new or its status has changed',
		},
	],
	default: 'newResult',
};

const watch: INodeProperties = {
	displayName: 'Watch',
	name: 'watch',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Prospector Workflows', value: 'all' },
		{ name: 'One Prospector Workflow', value: 'one' },
		{ name: 'Several Prospector Workflows', value: 'several' },
	],
	default: 'one',
	description: 'Which Prospector workflows to watch. Each poll sends one request per Prospector workflow.',
};

const options: INodeProperties[] = [
	{
		...outputFieldsOption,
		name: 'fieldsToReturn',
		placeholder: 'e.g. lead_id, company_name',
		description: 'Fields to keep, separated by commas. ID and request ID always stay. Replaces Simplify.',
	},
	{
		displayName: 'Include Existing',
		name: 'includeExisting',
		type: 'boolean',
		default: false,
		description:
			'Whether to also return what is there already when the workflow is activated for the first time',
	},
	{
		displayName: 'Max Items per Poll',
		name: 'maxItems',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_MAX_ITEMS },
		default: DEFAULT_MAX_ITEMS,
		description: 'Most items to return at once, oldest first. The next poll returns the rest.',
	},
	{
		displayName: 'Max Requests per Poll',
		name: 'maxRequests',
		type: 'number',
		typeOptions: { minValue: MIN_MAX_REQUESTS, maxValue: MAX_MAX_REQUESTS },
		default: DEFAULT_MAX_REQUESTS,
		description:
			'Most requests to send at once. The next poll continues with the Prospector workflows and runs that have waited longest.',
	},
	{
		...pageSizeOption,
		description: "Items per request. Leave it out to use the service's default.",
	},
	requestTimeoutOption,
	{
		displayName: 'Run Statuses',
		name: 'runStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. completed, failed',
		displayOptions: { show: { '/event': ['newResult', 'runFailed', 'runStatusChanged'] } },
		description:
			'Only runs with these statuses, separated by commas. With New Result, results are returned once their run has one of them. With Run Failed, they replace the built-in words for a failed run.',
	},
];

/** The trigger's parameters, besides n8n's poll times. */
export const triggerFields: INodeProperties[] = [
	event,
	watch,
	{
		...workflowLocator('The Prospector workflow to watch'),
		displayName: 'Prospector Workflow',
		displayOptions: { show: { watch: ['one'] } },
	},
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
	{ ...simplifyField, default: true },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	},
];
