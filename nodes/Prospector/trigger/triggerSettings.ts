export const TRIGGER_EVENTS = ['newResult', 'runStatusChanged', 'newRun'] as const;

/** What the trigger reports. */
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

/** What a person chose in the trigger. */
export interface TriggerSettings {
	event: TriggerEvent;
	/** Ids; undefined for all of the workspace. */
	workflowIds?: string[];
	/** Only runs in one of these statuses; any if empty. Any spelling that {@link isAmong} takes for the same. */
	statuses: string[];
	/** Whether what exists when the trigger is set up is reported too. */
	startWithExisting: boolean;
	/** Items put out per poll. */
	maxItems: number;
	/** Items per request; the service's own number if absent. */
	pageSize?: number;
	/** Milliseconds. */
	timeout: number;
}
