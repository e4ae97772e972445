/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { FaultRule } from '../../../sandbox/types';
import { PROSPECTOR } from '../../nodes';
import { startFastEnvironment } from '../environment';

export type Target = Awaited<ReturnType<typeof startTarget>>;

/**
 * Starts an environment whose service fails in the given ways, one request after the other.
 *
 * @param speed of the clock, see startFastEnvironment
 * @param settings of the credential; by default a Request Timeout of a second, and the sandbox's API key
 */
export async function startTarget(
	faults: FaultRule[] = [],
	settings: ICredentialDataDecryptedObject = {},
	speed = 10,
) {
	// Request timeouts run on the real clock.
	const env = await startFastEnvironment({}, speed);
	// Without readings, the fast clock would stop during a request.
	const ticker = setInterval(env.clock.now, 5);
	const { baseUrl, keys } = env.sandbox;
	const data = { apiKey: keys.full, baseUrl, showAdvanced: true, requestTimeout: 1, ...settings };
	await env.addCredential('full', data);
	env.resetService(...faults);
	return {
		...env,
		async close() {
			clearInterval(ticker);
			await env.close();
		},
		/**
		 * Calls a method of the node's editor, or of the trigger's (`loadOptions`), as n8n's server does: without an
		 * execution, in a workflow with one node.
		 */
		async callEditor(kind: 'listSearch' | 'resourceMapping' | 'loadOptions', method: string) {
			const { credentials, nodeTypes, prospector } = env;
			const node = prospector({});
			const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
			const additionalData = { credentialsHelper: credentials, currentNodeParameters: {} };
			const context = new LoadOptionsContext(
				workflow,
				workflow.nodes[node.name],
				additionalData as unknown as IWorkflowExecuteAdditionalData,
				'parameters.x',
			);
			const type = kind === 'loadOptions' ? `${PROSPECTOR}Trigger` : PROSPECTOR;
			const found = nodeTypes.getByNameAndVersion(type).methods?.[kind]?.[method];
			return await (found as (this: unknown) => Promise<unknown>).call(context);
		},
		/** Tests the credential as n8n does when a person saves it. Returns the message. */
		async testCredential(): Promise<string> {
			const context = new CredentialTestContext();
			const { request } = context.helpers;
			// The helper closes a connection only when its own timeout of 20 s has passed.
			const timeout = Math.min(Number(data.requestTimeout) * 1000, 20_000);
			Object.assign(context.helpers, {
				request: async (options: object) => (await request({ ...options, timeout })) as unknown,
			});
			return (await env.testCredential(data, context)).message;
		},
	};
}

/** Returns what a task throws, or undefined. */
export const thrownBy = async (task: Promise<unknown>): Promise<unknown> =>
	await task.then(() => undefined).catch((thrown: unknown) => thrown);
