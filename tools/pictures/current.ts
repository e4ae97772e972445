import type { UserMessage } from '../../nodes/Prospector/messages/userMessage';
import type * as Messages from '../../nodes/Prospector/messages/failureMessages';
import type * as Lists from '../../nodes/Prospector/methods/listSearch';
import type * as Requests from '../../nodes/Prospector/api/endpoints';
import { demoData } from '../../sandbox/demoData';
import { fromDist } from '../../test/fromDist';
import { actionNames, fieldLabels } from './packageTexts';
import type { Details } from './record';

const MAIN_OPERATION = { resource: 'workflow', operation: 'runAndGetResults' };
const NEWEST_RESULTS = { event: 'newResult', watch: 'all' };

/** Returns the lists and messages in the pictures as the built package has them now, by the picture's name. */
export const currentDetails = (): Record<string, Details> => ({
	actions: { actions: actionNames() },
	agent: {},
	credential: {},
	'first-lead': {},
	picker: { entries: pickerEntries() },
	refusal: { failure: refusal() },
	'results-table': { fields: fieldLabels('Prospector', MAIN_OPERATION) },
	'template-form-email': {},
	trigger: { fields: fieldLabels('ProspectorTrigger', NEWEST_RESULTS) },
});

function pickerEntries(): string[] {
	const { workflowListEntry } = fromDist<typeof Lists>('nodes/Prospector/methods/listSearch');
	const { workflows } = demoData(0);
	return (workflows as Array<{ name: string; status?: string }>).map(
		({ name, status = 'active' }) => workflowListEntry({ id: `wf_${name}`, name, status }).label,
	);
}

/** The message of a node whose API key is not allowed to start runs. */
function refusal(): UserMessage {
	const { describeFailure } = fromDist<typeof Messages>('nodes/Prospector/messages/failureMessages');
	const { endpoints } = fromDist<typeof Requests>('nodes/Prospector/api/endpoints');
	const { message, description } = describeFailure(
		{
			failure: { kind: 'status', status: 403 },
			request: { endpoint: endpoints.runWorkflow },
		},
		'node',
		(text) => text,
	);
	return { message, description: `${description}.` };
}
