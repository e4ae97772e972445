import { ControlError } from './errors';
import {
	CURSOR_REJECTIONS,
	LIST_ORDERS,
	RATE_LIMIT_HEADERS,
	TIME_FORMATS,
	type SandboxSettings,
} from './settings';
import { isJson, isObject, isIntegerBetween, MAX_SEED_COUNT, MAX_SPAN_MS } from './values';

/** Returns the requirement that a value doesn't meet, or undefined. */
type Check = (value: unknown) => string | undefined;

const unless = (valid: boolean, requirement: string) => (valid ? undefined : requirement);
const integer =
	(min: number, max = 1_000_000_000): Check =>
	(value) =>
		unless(isIntegerBetween(value, min, max), `a whole number from ${min} to ${max}`);
const timeSpan = (min: number) => integer(min, MAX_SPAN_MS);
const text: Check = (value) =>
	unless(
		typeof value === 'string' && value !== '' && value.length <= 1000,
		'a string of 1 to 1000 characters',
	);
const object: Check = (value) => unless(isObject(value) && isJson(value), 'a JSON object');
const oneOf =
	(...values: unknown[]): Check =>
	(value) =>
		unless(values.includes(value), `one of: ${values.join(', ')}`);
const orNull =
	(check: Check): Check =>
	(value) => {
		const requirement = value === null ? undefined : check(value);
		return requirement && `null or ${requirement}`;
	};
const listOf =
	(check: Check, min: number, max = 100): Check =>
	(value) =>
		unless(
			// Array.from, because `every` skips the holes of a sparse array.
			Array.isArray(value) &&
				isIntegerBetween(value.length, min, max) &&
				Array.from(value).every((item) => !check(item)),
			`an array of ${min} to ${max}, each ${check(undefined)}`,
		);

/** @param names the permitted names; any if there is none */
const textByName =
	(description: string, ...names: string[]): Check =>
	(value) =>
		unless(
			isObject(value) &&
				Object.keys(value).every((name) => names.length === 0 || names.includes(name)) &&
				Object.values(value).every((one) => !text(one)),
			`an object of ${description}`,
		);

const headers = oneOf(...RATE_LIMIT_HEADERS);
const boolean: Check = (value) => unless(typeof value === 'boolean', 'true or false');

const CHECKS: Record<keyof SandboxSettings, Check> = {
	limit: integer(1),
	windowMs: timeSpan(1),
	limitKind: oneOf('rolling', 'fixed', 'bucket'),
	burst: orNull(integer(1)),
	limitPerSecond: orNull(integer(1)),
	dailyQuota: orNull(integer(1)),
	countRejected: boolean,
	limitPerEndpoint: boolean,
	rateLimitHeaders: (value) => (Array.isArray(value) ? listOf(headers, 0)(value) : headers(value)),
	cursorKind: oneOf('position', 'offset', 'itemId'),
	cursorTtlMs: orNull(timeSpan(0)),
	cursorRejection: oneOf(...CURSOR_REJECTIONS),
	lastCursor: oneOf('null', 'empty', 'absent'),
	cursorParam: text,
	limitParam: text,
	defaultPageSize: integer(1),
	maxPageSize: integer(1),
	ignorePageSize: boolean,
	listOrder: oneOf(...LIST_ORDERS),
	timeFormat: oneOf(...TIME_FORMATS),
	runStatuses: listOf(text, 1),
	runStageMs: timeSpan(0),
	resultsPerRun: integer(0, MAX_SEED_COUNT),
	resultsChangePerPage: integer(-1000, 1000),
	runVisibleAfterMs: timeSpan(0),
	resultsDelayMs: timeSpan(0),
	noResultsYet: oneOf('empty', '404', '409'),
	wrongRuns: textByName('operation (runWorkflow or getRun) → run ID', 'runWorkflow', 'getRun'),
	finalStatusByWorkflow: textByName('workflow ID → status'),
	workflowStatus: text,
	deletedWorkflowStatus: orNull(text),
	deletedRuns: oneOf('byId', 'listed', 'gone'),
	workflowName: text,
	timezone: text,
	states: listOf(object, 0, 1000),
	extraFields: (value) =>
		unless(
			isObject(value) &&
				Object.entries(value).every(([type, fields]) => RESOURCE_TYPES.includes(type) && !object(fields)),
			`an object of ${RESOURCE_TYPES.join(', ')} → fields`,
		),
	errorBody: oneOf('object', 'text', 'empty'),
	errorRequestId: oneOf('body', 'header', 'none'),
	dateHeader: boolean,
	dateHeaderOffsetMs: timeSpan(-MAX_SPAN_MS),
	idempotencyTtlMs: orNull(timeSpan(0)),
	idempotencyScope: oneOf('workspace', 'key'),
	idempotencyPayload: oneOf('request', 'body'),
	idempotencyBusyMs: timeSpan(0),
	faultSeed: integer(0, Number.MAX_SAFE_INTEGER),
	journalSize: integer(1),
};

const RESOURCE_TYPES = ['config', 'workflow', 'run', 'result', 'me'];

/**
 * Returns the settings with a patch applied. Undefined fields change nothing.
 * @throws ControlError 400 that names the unknown or invalid setting
 */
export function mergeSettings(settings: SandboxSettings, patch: Partial<SandboxSettings>): SandboxSettings {
	if (!isObject(patch)) throw new ControlError(400, 'Settings must be an object.');
	const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
	for (const [name, value] of changes) {
		if (!Object.hasOwn(CHECKS, name)) {
			const names = Object.keys(CHECKS).join(', ');
			throw new ControlError(400, `There is no setting "${name}". Settings: ${names}.`);
		}
		const requirement = CHECKS[name as keyof SandboxSettings](value);
		if (requirement) throw new ControlError(400, `"${name}" must be ${requirement}.`);
	}
	return { ...settings, ...(Object.fromEntries(changes) as Partial<SandboxSettings>) };
}
