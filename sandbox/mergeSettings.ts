import { boolean, createCheck, integer, object, orNull, text, type Schema } from './checks';
import { CHOICES, type SandboxSettings } from './settings';
import { MAX_SEED_COUNT, MAX_SPAN_MS } from './values';

const timeSpanMs = (minimum = 0) => integer(minimum, MAX_SPAN_MS);
const choices = Object.fromEntries(
	Object.entries(CHOICES).map(([name, values]): [string, Schema] => [name, { enum: values }]),
) as Record<keyof typeof CHOICES, Schema>;
const fields: Schema = { type: 'object' };
const listOf = (items: Schema, minItems: number): Schema => ({
	type: 'array',
	items,
	minItems,
	maxItems: 100,
});

const SCHEMAS: Record<keyof SandboxSettings, Schema> = {
	...choices,
	limit: integer(1),
	windowMs: timeSpanMs(1),
	burst: orNull(integer(1)),
	limitPerSecond: orNull(integer(1)),
	dailyQuota: orNull(integer(1)),
	countRejected: boolean,
	limitPerEndpoint: boolean,
	rateLimitHeaders: { anyOf: [choices.rateLimitHeaders, listOf(choices.rateLimitHeaders, 0)] },
	cursorTtlMs: orNull(timeSpanMs()),
	cursorMaxItems: orNull(integer(1)),
	defaultPageSize: integer(1),
	maxPageSize: integer(1),
	ignorePageSize: boolean,
	staleProbability: { type: 'number', minimum: 0, maximum: 1 },
	replicaLagMs: timeSpanMs(),
	hiddenWorkflows: listOf(text, 0),
	runStatuses: listOf(text, 1),
	runStageMs: timeSpanMs(),
	resultsPerRun: integer(0, MAX_SEED_COUNT),
	resultsChangePerPage: integer(-1000, 1000),
	runVisibleAfterMs: timeSpanMs(),
	resultsDelayMs: timeSpanMs(),
	refusedFields: listOf(text, 0),
	wrongRuns: object({ runWorkflow: text, getRun: text }),
	finalStatusByWorkflow: { type: 'object', additionalProperties: text },
	extraFields: object({ config: fields, workflow: fields, run: fields, result: fields, me: fields }),
	dateHeader: boolean,
	dateHeaderOffsetMs: timeSpanMs(-MAX_SPAN_MS),
	dateHeaderStepMs: timeSpanMs(),
	journalSize: integer(1),
};

const check = createCheck(object(SCHEMAS));

/**
 * Returns the settings with a patch applied. Undefined fields change nothing.
 * @throws ControlError 400 that names the unknown or invalid setting
 */
export function mergeSettings(settings: SandboxSettings, patch: Partial<SandboxSettings>): SandboxSettings {
	check(patch);
	const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
	return { ...settings, ...(Object.fromEntries(changes) as Partial<SandboxSettings>) };
}
