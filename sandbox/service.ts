import { createControlApi } from './controlApi';
import { digest } from './ids';
import { mergeSettings } from './mergeSettings';
import { addSeed } from './seed';
import { createServiceState } from './serviceState';
import type { ServiceState } from './serviceState';
import { DEFAULT_SETTINGS } from './settings';
import type { SandboxSettings } from './settings';
import type { Clock, Control, SeedRequest } from './types';

export interface ServiceOptions {
	clock: Clock;
	settings?: Partial<SandboxSettings>;
	/** Returns the data at the start and after a reset. @param now milliseconds since the epoch */
	initialData?: (now: number) => SeedRequest;
	/** Shown by the control API. */
	baseUrl: () => string;
}

/** The model of the service, without a transport. */
export interface Service {
	/** Returns the current state. A reset replaces it. */
	state(): ServiceState;
	control: Control;
	/** Returns an ID that is unique across resets. */
	newRequestId(): string;
}

/** @throws ControlError on an invalid setting */
export function createService({ clock: baseClock, settings, initialData, baseUrl }: ServiceOptions): Service {
	let clockOffsetMs = 0;
	const clock = () => baseClock() + clockOffsetMs;
	const initialSettings = mergeSettings(DEFAULT_SETTINGS, settings ?? {});
	const createState = () => {
		const created = createServiceState(structuredClone(initialSettings), clock);
		if (initialData) addSeed(created, initialData(clock()));
		return created;
	};
	let state = createState();
	let requests = 0;
	const control = createControlApi({
		state: () => state,
		reset() {
			clockOffsetMs = 0;
			state = createState();
		},
		clockOffsetMs: () => clockOffsetMs,
		advanceClock: (ms) => void (clockOffsetMs += ms),
		baseUrl,
	});
	return { state: () => state, control, newRequestId: () => `req_${digest(`request:${++requests}`, 20)}` };
}
