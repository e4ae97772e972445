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
import { CredentialStore, execute, NodeTypes, Poller, type Execution } from '../../../engine';
import { chainNodes, node, PROSPECTOR } from '../../nodes';
import { askEditor } from '../editorCalls';
import { startHostileService, soon, type Answer, type Place } from './service';

export const TRIGGER = 'n8n-nodes-prospector.prospectorTrigger';

/** A key whose encoded forms all differ from it. */
export const newKey = () => `sk_live?${randomBytes(9).toString('hex')}+/~${randomBytes(9).toString('hex')}=`;

/** How something under test has ended. */
export interface Outcome {
	/** False when it was still running after the time it was given. */
	hasEnded: boolean;
	durationMs: number;
	value?: unknown;
	thrown?: NodeApiError;
	/** Message and description of a failure, as n8n shows them. */
	words: string;
}

/** Runs something and reports how it ended; reports it as running after `limitMs`. */
export async function outcomeOf(work: () => Promise<unknown>, limitMs: number): Promise<Outcome> {
	const begin = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const outcome = (rest: Partial<Outcome>): Outcome => ({
		hasEnded: true,
		durationMs: performance.now() - begin,
		words: '',
		...rest,
	});
	const overdue = new Promise<Outcome>((resolve) => {
		timer = setTimeout(() => resolve(outcome({ hasEnded: false })), limitMs);
	});
	const ended = work().then(
		(value) => outcome({ value }),
		(thrown: NodeApiError) => outcome({ thrown, words: wordsOf(thrown) }),
	);
	try {
		return await Promise.race([ended, overdue]);
	} finally {
		clearTimeout(timer);
	}
}

const wordsOf = ({ message, description }: NodeApiError) => [message, description].filter(Boolean).join('\n');

/** What a person sees of a picker's answer: without its token, in which a cursor must stay as it is. */
export const shownOf = (answer: unknown) => ({ ...(answer as object), paginationToken: undefined });

export type HostileBench = Awaited<ReturnType<typeof startHostileBench>>;
export type Target = Awaited<ReturnType<HostileBench['target']>>;

/** The built package in n8n's engine and a hostile service; call `close()` in `afterAll`. */
export async function startHostileBench() {
	const service = await startHostileService();
	const nodeTypes = await NodeTypes.load('.');
	const credentials = new CredentialStore(nodeTypes);
	const running = new Set<Execution>();
	let count = 0;

	/** A Base URL with its own behavior and API key: nothing learned about another one applies to it. */
	async function target(answer: Answer, apiKey = newKey(), place: Place = service.place(answer)) {
		const data: ICredentialDataDecryptedObject = { apiKey, baseUrl: place.baseUrl };
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
			/** Executes one Prospector node and returns its items; throws what made it fail. */
			async items(parameters: IDataObject, input?: IDataObject[], extra?: Partial<INode>) {
				const { data: run } = await start(parameters, input, extra).finished;
				if (run.resultData.error) throw run.resultData.error;
				return (run.resultData.runData.Prospector?.at(-1)?.data?.main[0] ?? []) as INodeExecutionData[];
			},
			/** Calls one of the node's editor methods. */
			ask: async <T = unknown>(
				kind: 'listSearch' | 'resourceMapping' | 'loadOptions',
				method: string,
				args: unknown[] = [],
				parameters: IDataObject = {},
			) =>
				await askEditor<T>({ nodeTypes, credentials, prospector }, kind, method, {
					args,
					parameters,
					type: kind === 'loadOptions' ? TRIGGER : PROSPECTOR,
				}),
			/** Tests the credential as its form does. */
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
					node('Trigger', TRIGGER, parameters, { credentials: reference, id: `trigger ${id}` }),
				);
				return new Poller({ nodeTypes, credentials, workflow: { ...workflow, id }, staticData });
			},
			/** Whether all connections of this target are closed within a moment. */
			isClosed: async () => await soon(() => place.sockets.size === 0),
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
