import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const whenAdvanced = { show: { showAdvanced: [true] } };

/** Tested by the Prospector node: `methods/credentialTest.ts`. */
export class ProspectorApi implements ICredentialType {
	name = 'prospectorApi';
	displayName = 'Prospector API';
	icon: Icon = { light: 'file:../icons/prospector.svg', dark: 'file:../icons/prospector.dark.svg' };
	documentationUrl = 'https://github.com/n8n-nodes-prospector/n8n-nodes-prospector#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The key that your workspace issued to you, without the word Bearer',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://app.example.com',
			description: 'The address of your workspace',
		},
		{
			displayName: 'Show Advanced Settings',
			name: 'showAdvanced',
			type: 'boolean',
			default: false,
			description: 'Whether to show and use settings that hardly anyone needs',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			displayOptions: whenAdvanced,
			description:
				'Whether to accept a Base URL that starts with http:// and is not on this machine. Everyone on the way can then read the API key.',
		},
		{
			displayName: 'Cursor Parameter',
			name: 'cursorParameter',
			type: 'string',
			default: 'cursor',
			displayOptions: whenAdvanced,
			description:
				'The query parameter that says where a page begins, whose name the service does not document',
		},
		{
			displayName: 'Page Size Parameter',
			name: 'pageSizeParameter',
			type: 'string',
			default: 'limit',
			displayOptions: whenAdvanced,
			description:
				'The query parameter that says how long a page is, whose name the service does not document',
		},
		{
			displayName: 'Run Page URL',
			name: 'runPageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://app.example.com/prospector/runs/{run_id}',
			displayOptions: whenAdvanced,
			description:
				'Where your workspace shows a run, with {run_id} in place of its ID and, if needed, {workflow_id}. The run list of the node then links to it.',
		},
		{
			displayName: 'Workflow Page URL',
			name: 'workflowPageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://app.example.com/prospector/workflows/{workflow_id}',
			displayOptions: whenAdvanced,
			description:
				'Where your workspace shows a Prospector workflow, with {workflow_id} in place of its ID. The workflow list of the node then links to it.',
		},
	];

	/**
	 * Signs a request (contract, section 5.1). A function and not an expression: when two polls of one n8n workflow
	 * overlap, n8n takes away what the longer one needs to evaluate expressions.
	 */
	async authenticate(
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${String(apiKey).trim()}` },
		};
	}
}
