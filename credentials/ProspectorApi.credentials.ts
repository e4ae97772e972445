// The credential Prospector API: its fields, and how a request gets the API key. Used by both nodes and by HTTP Request.
import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

const shownWhenAdvanced = { show: { showAdvanced: [true] } };

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
			placeholder: 'Paste the key, without Bearer',
			description:
				'Create it in your workspace with the scopes prospector.read and prospector.run, and paste it here',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://app.example.com',
			description: 'The web address of the service, without a path',
		},
		{
			displayName: 'Show Advanced Settings',
			name: 'showAdvanced',
			type: 'boolean',
			default: false,
			description: 'Whether to show and use settings for unusual setups',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			displayOptions: shownWhenAdvanced,
			description:
				'Whether to allow a Base URL that starts with http://. Others on the network can then read the API key.',
		},
		{
			displayName: 'Cursor Parameter',
			name: 'cursorParameter',
			type: 'string',
			default: 'cursor',
			displayOptions: shownWhenAdvanced,
			description: 'Query parameter for the next page. Change it if lists end with a message about pages.',
		},
		{
			displayName: 'Page Size Parameter',
			name: 'pageSizeParameter',
			type: 'string',
			default: 'limit',
			displayOptions: shownWhenAdvanced,
			description: 'Query parameter for the page size. Change it if the option Page Size has no effect.',
		},
		{
			displayName: 'Request Timeout (Seconds)',
			name: 'requestTimeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 3600 },
			default: 60,
			displayOptions: shownWhenAdvanced,
			description: 'How long to wait for an answer to one request',
		},
	];

	/**
	 * Signs a request (contract, section 5.1). A function and not an expression: when two polls of one n8n workflow
	 * overlap, the longer one can't evaluate expressions (n8n-behaviour.md#credentials).
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
