import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { CredentialStore, execute, NodeTypes, outputOf, Poller, type Execution } from '../../../engine';
import { chainNodes, node, PROSPECTOR } from '../../nodes';
import { callEditorMethod, PROSPECTOR_TRIGGER } from '../environment';
import { startHostileService, waitUntil, type Answer, type Place } from './service';

/** An API key with characters that every encoding changes. */
export const newKey = () => `sk_live?${randomBytes(9).toString('hex')}+/~${randomBytes(9).toString('hex')}=`;

// Tests replace the function.
const now = performance.now.bind(performance);
const TICK_MS = 5;

/**
 * Makes the node's timeouts and delays shorter: it measures them with `performance.now()`. On a busy machine, where ticks
 * come late, that clock is slower.
 *
 * @param speed seconds that pass for the node in a real second at most
 * @returns a function that restores the real clock
 */
export function speedUpTimeouts(speed: number): () => void {
	let time = now();
	const ticker = setInterval(() => (time += TICK_MS * speed), TICK_MS);
	performance.now = () => time;
	return () => {
		clearInterval(ticker);
		performance.now = now;
	};
}

/** How something under test ended. */
export interface Outcome {
	/** False if it was still running after the given time. */
	hasEnded: boolean;
	durationMs: number;
	value?: unknown;
	thrown?: NodeApiError;
	/** Message and description of an error, as n8n shows them. */
	text: string;
}

/** Runs a task and returns how it ended, or that it is still running after `limitMs` real milliseconds. */
export async function outcomeOf(task: () => Promise<unknown>, limitMs: number): Promise<Outcome> {
	const begin = now();
	let timer: NodeJS.Timeout | undefined;
	const outcome = (rest: Partial<Outcome>): Outcome => ({
		...{ hasEnded: true, durationMs: now() - begin, text: '' },
		...rest,
	});
	const overdue = new Promise<Outcome>((resolve) => {
		timer = setTimeout(() => resolve(outcome({ hasEnded: false })), limitMs);
	});
	const ended = task().then(
		(value) => outcome({ value }),
		(thrown: NodeApiError) => outcome({ thrown, text: textOf(thrown) }),
	);
	try {
		return await Promise.race([ended, overdue]);
	} finally {
		clearTimeout(timer);
	}
}

const textOf = ({ message, description }: NodeApiError) => [message, description].filter(Boolean).join('\n');

/** What a person sees of a list: without its token, which must keep the cursor as it is. */
export const shownOf = (found: unknown) => ({ ...(found as object), paginationToken: undefined });

interface TargetOptions {
	apiKey?: string;
	place?: Place;
	requestTimeout?: number;
}

export type HostileEnvironment = Awaited<ReturnType<typeof startHostileEnvironment>>;
export type Target = Awaited<ReturnType<HostileEnvironment['target']>>;

/** The built package in n8n's engine, and a hostile service; call `close()` in `afterAll`. */
export async function startHostileEnvironment() {
	const service = await startHostileService();
	const nodeTypes = await NodeTypes.load('.');
	const credentials = new CredentialStore(nodeTypes);
	const running = new Set<Execution>();
	let count = 0;

	/**
	 * A Base URL with its own behavior and API key, so that no learned limit of another one applies to it.
	 *
	 * @param requestTimeout in seconds
	 */
	async function target(
		answer: Answer,
		{ apiKey = newKey(), place = service.place(answer), requestTimeout }: TargetOptions = {},
	) {
		const data: ICredentialDataDecryptedObject = {
			...{ apiKey, baseUrl: place.baseUrl },
			...(requestTimeout !== undefined && { showAdvanced: true, requestTimeout }),
		};
		const id = `credential ${++count}`;
		const reference = await credentials.add(id, 'prospectorApi', data);

		const prospector = (parameters: IDataObject, extra: Partial<INode> = {}) =>
			node('Prospector', PROSPECTOR, parameters, { credentials: reference, ...extra });
		function start(parameters: IDataObject, input: IDataObject[] = [{}], extra: Partial<INode> = {}) {
			const workflow = chainNodes(prospector(parameters, extra));
			const execution = execute({
				nodeTypes,
				credentials,
				workflow,
				input: input.map((json) => ({ json })),
			});
			running.add(execution);
			void execution.finished.finally(() => running.delete(execution));
			return execution;
		}
		return {
			...place,
			apiKey,
			prospector,
			/** Starts a workflow with one Prospector node. */
			start,
			/** Executes one Prospector node and returns its items; throws the error of the execution. */
			async getItems(
				parameters: IDataObject,
				input?: IDataObject[],
				extra?: Partial<INode>,
			): Promise<INodeExecutionData[]> {
				const ended = await start(parameters, input, extra).finished;
				if (ended.data.resultData.error) throw ended.data.resultData.error;
				return outputOf(ended, 'Prospector');
			},
			/** Calls one of the node's editor methods. */
			callEditor: async <T = unknown>(
				kind: 'listSearch' | 'resourceMapping' | 'loadOptions',
				method: string,
				args: unknown[] = [],
				parameters: IDataObject = {},
			) =>
				await callEditorMethod<T>({ nodeTypes, credentials, prospector }, kind, method, {
					args,
					parameters,
					type: kind === 'loadOptions' ? PROSPECTOR_TRIGGER : PROSPECTOR,
				}),
			/** Tests the credential as n8n does when a person saves it. */
			async testCredential(): Promise<INodeCredentialTestResult> {
				const { methods } = nodeTypes.getByNameAndVersion(PROSPECTOR);
				const result = await methods?.credentialTest?.prospectorApiTest.call(new CredentialTestContext(), {
					...{ id, name: id, type: 'prospectorApi', data },
				});
				return result as INodeCredentialTestResult;
			},
			/** A trigger in an n8n workflow of its own. */
			trigger(parameters: IDataObject, staticData?: IDataObject) {
				const workflow = chainNodes(
					node('Trigger', PROSPECTOR_TRIGGER, parameters, { credentials: reference, id: `trigger ${id}` }),
				);
				return new Poller({ nodeTypes, credentials, workflow: { ...workflow, id }, staticData });
			},
			/** Whether all connections of this target are closed soon. */
			isClosed: async () => await waitUntil(() => place.sockets.size === 0),
		};
	}

	return {
		service,
		nodeTypes,
		target,
		async close() {
			for (const execution of running) execution.stop();
			await service.close();
		},
	};
}
