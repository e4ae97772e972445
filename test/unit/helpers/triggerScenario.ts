import type { IDataObject } from 'n8n-workflow';
import type { HttpResponse } from '../../../nodes/Prospector/transport/request/response';
import { ActiveTrigger, type Scheduler, VirtualTime } from './trigger/activeTrigger';
import { Service, type FakeResource, type ServiceOptions } from './trigger/service';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export const idsOf = (resources: Array<{ id?: unknown }>) => resources.map(({ id }) => String(id));
export const sortedIds = (resources: Array<{ id?: unknown }>) => idsOf(resources).sort();

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
		/** Answers requests with this response if their paths contain a text. Returns a function that ends that. */
		failRequests(failure: number | Partial<HttpResponse>, part = '') {
			const response = typeof failure === 'number' ? { statusCode: failure } : failure;
			service.onRequest = (path) => {
				const isFailing = path.includes(part);
				service.outage = isFailing
					? () => ({ statusCode: 200, headers: {}, body: '', ...response })
					: undefined;
			};
			return () => {
				service.onRequest = () => {};
				service.outage = undefined;
			};
		},
	};
}
