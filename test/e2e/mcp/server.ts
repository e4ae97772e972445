import { createRequire } from 'node:module'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { IDataObject } from 'n8n-workflow';
import { byId, LANGCHAIN, node } from '../../nodes';
import type { Environment } from '../environment';
import { eventually } from '../../eventually';
import { readTarget } from '../n8n/target';

const PATH = 'prospector';

/** The tool's name, as MCP clients see it. */
export const TOOL = 'Find_leads';

/** Longer than the default of 60 s, so that a busy machine has time to start the execution of a call. */
const CALL_TIMEOUT_MS = 120_000;

interface ListedTool {
	name: string;
	inputSchema: { properties: Record<string, IDataObject>; required?: string[] };
}

/** The parts of the client in MCP's TypeScript SDK that these tests use. */
interface SdkClient {
	connect(transport: unknown): Promise<void>;
	listTools(): Promise<{ tools: ListedTool[] }>;
	callTool(
		call: { name: string; arguments: IDataObject },
		resultSchema: undefined,
		options: { timeout: number },
	): Promise<{ isError?: boolean; content: Array<{ text: string }> }>;
	close(): Promise<void>;
}

type Class<Arguments extends unknown[], Instance> = new (...args: Arguments) => Instance;

/** Connects the client of MCP's TypeScript SDK, which n8n installs for its own nodes. */
export async function connectClient(url: string): Promise<SdkClient> {
	const requireFromN8n = createRequire(readTarget().bin);
	const { Client } = requireFromN8n('@modelcontextprotocol/sdk/client/index.js') as {
		Client: Class<[{ name: string; version: string }], SdkClient>;
	};
	const { StreamableHTTPClientTransport: Transport } = requireFromN8n(
		'@modelcontextprotocol/sdk/client/streamableHttp.js',
	) as { StreamableHTTPClientTransport: Class<[URL], unknown> };
	const client = new Client({ name: 'end-to-end-tests', version: '1.0.0' });
	await client.connect(new Transport(new URL(url)));
	return client;
}

/** Calls the tool. @throws Error with the text of an answer that reports one */
export async function callTool(client: SdkClient, given: IDataObject): Promise<IDataObject[]> {
	const call = { name: TOOL, arguments: given };
	const { content, isError } = await client.callTool(call, undefined, { timeout: CALL_TIMEOUT_MS });
	if (isError) throw new Error(content[0].text);
	return JSON.parse(content[0].text) as IDataObject[];
}

/** Activates an n8n workflow that offers Run and Get Results to MCP clients, and returns the URL of its server. */
export async function activateMcpServer({ n8n, prospector, workflows }: Environment): Promise<string> {
	const parameters = { path: PATH, authentication: 'none' };
	const trigger = node('Server', `${LANGCHAIN}.mcpTrigger`, parameters, { typeVersion: 2, webhookId: PATH });
	const workflowId = byId("={{ $fromAI('Workflow', `ID of the Prospector workflow`, 'string') }}");
	const tool = prospector(
		'Find leads',
		{ resource: 'workflow', operation: 'runAndGetResults', workflowId },
		{ type: 'n8n-nodes-prospector.prospectorTool' },
	);
	const toServer = { ai_tool: [[{ node: trigger.name, type: 'ai_tool' as const, index: 0 }]] };
	const connections = { [tool.name]: toServer };
	await workflows.activate(await workflows.create({ nodes: [trigger, tool], connections }));
	const url = `${n8n.baseUrl}/mcp/${PATH}`;
	// In n8n 2, a workflow is active some time before its webhook responds.
	await eventually('the MCP server', async () => {
		const client = await connectClient(url).catch(() => undefined);
		await client?.close();
		return client !== undefined;
	});
	return url;
}
