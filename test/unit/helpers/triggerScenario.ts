import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse } from '../../../nodes/Prospector/transport/request/response';
import { ActiveTrigger, type Scheduler, VirtualTime } from './trigger/activeTrigger';
import { Service, type FakeResource, type ServiceOptions } from './trigger/service';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** A status, a response, or what n8n's HTTP helper throws. */
export type RequestFailure = number | Partial<HttpResponse> | Error;

export const idsOf = (resources: Array<{ id?: unknown }>) => resources.map(({ id }) => String(id));
export const sortedIds = (resources: Array<{ id?: unknown }>) => idsOf(resources).sort();

function failWith(failure: Partial<HttpResponse> | Error): HttpResponse {
	if (failure instanceof Error) throw failure;
	return { statusCode: 200, headers: {}, body: '', ...failure };
}

/** A service in virtual time, and triggers that poll it. */
export function triggerScenario(options: Partial<ServiceOptions> = {}) {
	const time = new VirtualTime();
	const service = new Service({
		...{ order: 'newest', cursors: 'keyset', pageSize: 5, now: () => time.now },
		...options,
	});
	return {
		time,
		service,
		/** Creates a trigger for all Prospector workflows, unless the parameters say otherwise. */
		watch: (event: string, parameters: IDataObject = {}, scheduler?: Scheduler) =>
			new ActiveTrigger(time, service, { event, watch: 'all', options: {}, ...parameters }, scheduler),
		startRuns: (workflow: FakeResource, count: number, { status = 'completed', apart = 1000 } = {}) =>
			Array.from({ length: count }, () => {
				time.now += apart;
				return service.addRun(workflow, status);
			}),
		/** Polls once a minute. */
		async poll(trigger: ActiveTrigger, count = 1) {
			for (let polls = 0; polls < count; polls++) {
				time.now += MINUTE;
				await trigger.tick();
			}
		},
		/**
		 * Makes requests fail if their paths contain a text.
		 *
		 * @param failure a status, a response, or what n8n's HTTP helper throws
		 * @returns a function that ends the failure
		 */
		failRequests(failure: RequestFailure, part = '') {
			const response = typeof failure === 'number' ? { statusCode: failure } : failure;
			service.onRequest = (path) => {
				const isFailing = path.includes(part);
				service.outage = isFailing ? () => failWith(response) : undefined;
			};
			return () => {
				service.onRequest = () => {};
				service.outage = undefined;
			};
		},
	};
}
