import Fastify from 'fastify';
import type { IDataObject } from 'n8n-workflow';

export type Turn = { calls: ToolCall[] } | { say: string };

export interface ToolCall {
	tool: string;
	arguments?: IDataObject;
}

/** A turn can depend on the request. */
export type Script = Array<Turn | ((request: ModelRequest) => Turn)>;

/** The parts of a request that a model reads (OpenAI's chat completions). */
export interface ModelRequest {
	messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
	tools: Array<{ function: { name: string; description: string; parameters: IDataObject } }>;
}

/** Starts a model on 127.0.0.1 that follows a script, turn by turn, and records the requests. */
export async function startScriptedModel() {
	const requests: ModelRequest[] = [];
	let script: Script = [];
	let answers = 0;
	let toolCallId: string | undefined;
	const server = Fastify({ bodyLimit: 2 ** 26 });
	server.post('/v1/chat/completions', (request) => {
		const asked = request.body as ModelRequest;
		requests.push(asked);
		const next = script.shift() ?? { say: 'The script has ended' };
		return completion(typeof next === 'function' ? next(asked) : next, ++answers, toolCallId);
	});
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `${address}/v1`,
		requests,
		/** Starts a new script and clears the recorded requests. */
		follow(...turns: Script) {
			script = turns;
			requests.length = 0;
		},
		/** Gives all tool calls the same ID, as some models do. */
		repeatToolCallId: (id?: string) => (toolCallId = id),
		close: async () => await server.close(),
	};
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

const completion = (turn: Turn, id: number, toolCallId?: string) => ({
	id: `answer-${id}`,
	object: 'chat.completion',
	created: 0,
	model: 'scripted',
	choices: [
		{
			index: 0,
			message: {
				role: 'assistant',
				content: 'say' in turn ? turn.say : null,
				...('calls' in turn && {
					tool_calls: turn.calls.map((call, index) => ({
						id: toolCallId ?? `call-${id}-${index}`,
						type: 'function',
						function: { name: call.tool, arguments: JSON.stringify(call.arguments ?? {}) },
					})),
				}),
			},
			finish_reason: 'say' in turn ? 'stop' : 'tool_calls',
		},
	],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Returns the tools' answers in the order of the calls. */
export const toolAnswers = ({ messages }: ModelRequest): string[] =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
