import type { INodeProperties } from 'n8n-workflow';
import { pageSizeOption } from '../actions/fields/list';
import { workflowLocator } from '../actions/fields/locators';
import { requestTimeoutOption } from '../actions/fields/requestTimeout';

export const DEFAULT_MAX_ITEMS = 1000;

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'New Result',
			value: 'newResult',
			description: 'When a run has found a company, linked to a lead',
		},
		{ name: 'New Run', value: 'newRun', description: 'When a run was started, by whomever' },
		{
			name: 'Run Status Changed',
			value: 'runStatusChanged',
			description: 'When a run got another status since the last poll; a new run counts too',
		},
	],
	default: 'newResult',
	description: 'What starts the n8n workflow',
};

const scope: INodeProperties = {
	displayName: 'Watch',
	name: 'workflowScope',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Prospector Workflows', value: 'all' },
		{ name: 'One Prospector Workflow', value: 'one' },
		{ name: 'Several Prospector Workflows', value: 'several' },
	],
	default: 'one',
	description:
		'Which Prospector workflows to watch. Every poll costs a request per workflow, and all of them one more.',
};

const options: INodeProperties[] = [
	{
		displayName: 'Max Items per Poll',
		name: 'maxItems',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: DEFAULT_MAX_ITEMS,
		description:
			'How many items one execution gets at most, the oldest first. The next poll brings the rest.',
	},
	pageSizeOption,
	requestTimeoutOption,
	{
		displayName: 'Start With What Exists',
		name: 'startWithExisting',
		type: 'boolean',
		default: false,
		description:
			'Whether the first poll also puts out what is there already. It counts only once, when the n8n workflow is first activated.',
	},
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. completed, failed',
		displayOptions: { show: { '/event': ['newResult', 'runStatusChanged'] } },
		description:
			'Only runs with one of these statuses, separated by commas, in any letter case. The service does not document its statuses: use the words that your runs show. For New Result, results are put out once their run has such a status.',
	},
];

/** All that a person can set in the trigger, beside n8n's poll times. */
export const triggerFields: INodeProperties[] = [
	event,
	scope,
	{
		...workflowLocator('The Prospector workflow to watch'),
		displayName: 'Prospector Workflow',
		displayOptions: { show: { workflowScope: ['one'] } },
	},
	{
		displayName: 'Prospector Workflow Names or IDs',
		name: 'workflowIds',
		type: 'multiOptions',
		required: true,
		default: [],
		typeOptions: { loadOptionsMethod: 'getWorkflows' },
		displayOptions: { show: { workflowScope: ['several'] } },
		description:
			'The Prospector workflows to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	},
];
