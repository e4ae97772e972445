import type { IDataObject, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';
import { ProspectorTrigger } from '../../../nodes/Prospector/ProspectorTrigger.node';
import type { SandboxSettings } from '../../../sandbox/settings';
import { createSimulator } from '../../../sandbox/simulator';
import type { FaultRule } from '../../../sandbox/types';
import { ActiveTrigger, MINUTE_MS, type Scheduler, VirtualTime } from '../../simulator/activeTrigger';
import { CREDENTIAL_DATA, NODE } from './support';

export { DAY_MS, HOUR_MS, MINUTE_MS } from '../../simulator/activeTrigger';

/** A status, or what happens in place of the service's response. */
export type RequestFailure = number | Omit<FaultRule, 'match' | 'times'>;

/** The simulator of the service in virtual time, and triggers that poll it. Resources are named by their IDs. */
export function triggerScenario(settings: Partial<SandboxSettings> = {}) {
	const time = new VirtualTime();
	const requestListeners: Array<() => void> = [];
	const { control, request } = createSimulator({
		clock: () => time.nowMs,
		advance: time.advance,
		settings: {
			defaultPageSize: 5,
			resultsPerRun: 0,
			limit: 1_000_000,
			errorBody: 'empty',
			errorRequestId: 'none',
			...settings,
		},
		beforeRequest: () => requestListeners.forEach((listener) => listener()),
	});
	const send = async (options: IHttpRequestOptions) => await request(options as never);
	const nodeParameters = (event: string, { options = {}, ...parameters }: IDataObject) => ({
		...{ event, watch: 'all', ...parameters },
		options: { maxRequests: 30, ...(options as IDataObject) },
	});
	const addRun = (workflowId: string, status = 'completed', id?: string) =>
		control.seed({ runs: [{ workflowId, status, id }] }).runs[0];
	/** Creates a trigger for all Prospector workflows, unless the parameters say otherwise. */
	const watch = (event: string, parameters: IDataObject = {}, scheduler?: Scheduler) =>
		new ActiveTrigger(time, send, nodeParameters(event, parameters), scheduler);
	return {
		time,
		control,
		addWorkflow: () => control.seed({ workflows: 1 }).workflows[0],
		addRun,
		addRuns: (workflowId: string, count: number) =>
			Array.from({ length: count }, () => {
				time.advance(1000);
				return addRun(workflowId);
			}),
		addResults: (runId: string, count = 1) => control.seed({ results: [{ runId, count }] }).results,
		watch,
		/** Adds Prospector workflows, and activates a trigger for their runs. */
		async watchSeveral(count: number) {
			const workflowIds = control.seed({ workflows: count }).workflows;
			const trigger = await watch('newRun', { watch: 'several', workflowIds }).activate();
			return { workflowIds, trigger };
		},
		/** Polls once a minute. @throws what a poll throws */
		async poll(trigger: ActiveTrigger, count = 1) {
			for (let polls = 0; polls < count; polls++) {
				time.advance(MINUTE_MS);
				await trigger.tick();
			}
		},
		/** Tests the node in the editor, which has no static data. @returns the items */
		async showPreview(event: string, parameters: IDataObject = {}): Promise<IDataObject[]> {
			const allParameters = nodeParameters(event, parameters);
			const values = new Map(Object.entries(allParameters));
			const context = {
				getNode: () => ({ ...NODE, parameters: allParameters }),
				getMode: () => 'manual',
				getCredentials: async () => await Promise.resolve(CREDENTIAL_DATA),
				getNodeParameter: (name: string, fallback: unknown) => values.get(name) ?? fallback,
				helpers: { httpRequestWithAuthentication: async (_: string, options: never) => await send(options) },
			} as unknown as IPollFunctions;
			const output = await new ProspectorTrigger(time.dependencies).poll.call(context);
			return (output?.[0] ?? []).map(({ json }) => json);
		},
		/** Calls a function before the service handles a request, counted from now on. */
		beforeRequest(number: number, happen: () => void) {
			let requests = 0;
			requestListeners.push(() => void (++requests === number && happen()));
		},
		/** Makes all requests fail whose paths contain a text. @returns a function that ends the failure */
		failRequests(failure: RequestFailure, path?: string) {
			const rule = typeof failure === 'number' ? ({ kind: 'status', status: failure } as const) : failure;
			const { id } = control.addFault({ ...rule, times: 0, match: { path } });
			return () => void control.clearFaults(id);
		},
	};
}
