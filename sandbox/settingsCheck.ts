import { ControlError } from './errors';
import type { SandboxSettings } from './settings';
import { isJson, isObject, isWhole, MAX_SEEDED, MAX_SPAN_MS } from './values';

/** Says what a value must be, or nothing when it is that. */
type Check = (value: unknown) => string | undefined;

const is = (test: boolean, demand: string) => (test ? undefined : demand);
const whole =
	(low: number, high = 1_000_000_000): Check =>
	(value) =>
		is(isWhole(value, low, high), `a whole number from ${low} to ${high}`);
const span = (low: number) => whole(low, MAX_SPAN_MS);
const text: Check = (value) =>
	is(typeof value === 'string' && value !== '' && value.length <= 1000, 'a string of 1 to 1000 characters');
const object: Check = (value) => is(isObject(value) && isJson(value), 'a JSON object');
const oneOf =
	(...words: string[]): Check =>
	(value) =>
		is(typeof value === 'string' && words.includes(value), `one of: ${words.join(', ')}`);
const orNull =
	(check: Check): Check =>
	(value) => {
		const demand = value === null ? undefined : check(value);
		return demand && `null or ${demand}`;
	};
const listOf =
	(check: Check, fewest: number, most = 100): Check =>
	(value) =>
		is(
			// Array.from: `every` passes over the holes of a sparse array.
			Array.isArray(value) &&
				isWhole(value.length, fewest, most) &&
				Array.from(value).every((item) => !check(item)),
			`an array of ${fewest} to ${most}, each ${check(undefined)}`,
		);

const headers = oneOf('none', 'retry-after', 'retry-after-date', 'ratelimit', 'x-ratelimit');

const CHECKS: Record<keyof SandboxSettings, Check> = {
	limit: whole(1),
	windowMs: span(1),
	rateLimitHeaders: (value) => (Array.isArray(value) ? listOf(headers, 0)(value) : headers(value)),
	lastCursor: oneOf('null', 'empty', 'absent'),
	cursorParam: text,
	limitParam: text,
	defaultPageSize: whole(1),
	maxPageSize: whole(1),
	listOrder: oneOf('newest', 'oldest', 'shuffled'),
	runStatuses: listOf(text, 1),
	runStageMs: span(0),
	resultsPerRun: whole(0, MAX_SEEDED),
	runEndings: (value) =>
		is(
			isObject(value) && Object.values(value).every((word) => !text(word)),
			'an object of workflow id → word',
		),
	workflowStatus: text,
	deletedWorkflowStatus: orNull(text),
	workflowName: text,
	timezone: text,
	states: listOf(object, 0, 1000),
	extraFields: (value) =>
		is(
			isObject(value) &&
				Object.entries(value).every(([type, fields]) => TYPES.includes(type) && !object(fields)),
			`an object of ${TYPES.join(', ')} → fields`,
		),
	errorBody: oneOf('object', 'text', 'empty'),
	errorRequestId: oneOf('body', 'header', 'none'),
	dateHeader: (value) => is(typeof value === 'boolean', 'true or false'),
	idempotencyTtlMs: orNull(span(0)),
	idempotencyScope: oneOf('workspace', 'key'),
	faultSeed: whole(0, Number.MAX_SAFE_INTEGER),
	journalSize: whole(1),
};

const TYPES = ['config', 'workflow', 'run', 'result', 'me'];

/**
 * Settings with a patch laid over them; fields that are undefined change nothing.
 * @throws ControlError 400 naming the unknown or wrong setting
 */
export function mergeSettings(settings: SandboxSettings, patch: Partial<SandboxSettings>): SandboxSettings {
	if (!isObject(patch)) throw new ControlError(400, 'Settings must be an object.');
	const given = Object.entries(patch).filter(([, value]) => value !== undefined);
	for (const [name, value] of given) {
		if (!Object.hasOwn(CHECKS, name)) {
			const names = Object.keys(CHECKS).join(', ');
			throw new ControlError(400, `There is no setting "${name}". There are: ${names}.`);
		}
		const demand = CHECKS[name as keyof SandboxSettings](value);
		if (demand) throw new ControlError(400, `"${name}" must be ${demand}.`);
	}
	return { ...settings, ...(Object.fromEntries(given) as Partial<SandboxSettings>) };
}
