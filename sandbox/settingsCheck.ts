import { ControlError } from './errors';
import type { SandboxSettings } from './settings';
import { isObject } from './values';

/** Says what a value must be, or nothing when it is that. */
type Check = (value: unknown) => string | undefined;

const is = (test: boolean, demand: string) => (test ? undefined : demand);
const whole =
	(low: number): Check =>
	(value) =>
		is(Number.isInteger(value) && Number(value) >= low, `a whole number from ${low}`);
const text: Check = (value) => is(typeof value === 'string' && value !== '', 'a string');
const object: Check = (value) => is(isObject(value), 'an object');
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
	(check: Check, fewest: number): Check =>
	(value) =>
		is(
			Array.isArray(value) && value.length >= fewest && value.every((item) => !check(item)),
			`an array of ${fewest} or more, each ${check(undefined)}`,
		);

const headers = oneOf('none', 'retry-after', 'retry-after-date', 'ratelimit', 'x-ratelimit');

const CHECKS: Record<keyof SandboxSettings, Check> = {
	limit: whole(1),
	windowMs: whole(1),
	rateLimitHeaders: (value) => (Array.isArray(value) ? listOf(headers, 0)(value) : headers(value)),
	lastCursor: oneOf('null', 'empty', 'absent'),
	cursorParam: text,
	limitParam: text,
	defaultPageSize: whole(1),
	maxPageSize: whole(1),
	listOrder: oneOf('newest', 'oldest', 'shuffled'),
	runStatuses: listOf(text, 1),
	runStageMs: whole(0),
	resultsPerRun: whole(0),
	runEndings: (value) =>
		is(
			isObject(value) && Object.values(value).every((word) => !text(word)),
			'an object of workflow id → word',
		),
	workflowStatus: text,
	deletedWorkflowStatus: orNull(text),
	workflowName: text,
	timezone: text,
	states: listOf(object, 0),
	extraFields: (value) =>
		is(
			isObject(value) &&
				Object.entries(value).every(([type, fields]) => TYPES.includes(type) && isObject(fields)),
			`an object of ${TYPES.join(', ')} → fields`,
		),
	errorBody: oneOf('object', 'text', 'empty'),
	errorRequestId: oneOf('body', 'header', 'none'),
	idempotencyTtlMs: orNull(whole(0)),
	idempotencyScope: oneOf('workspace', 'key'),
	faultSeed: whole(0),
	journalSize: whole(1),
};

const TYPES = ['config', 'workflow', 'run', 'result', 'me'];

/**
 * Settings with a patch laid over them; fields that are undefined change nothing.
 * @throws ControlError 400 naming the unknown or wrong setting
 */
export function patched(settings: SandboxSettings, patch: Partial<SandboxSettings>): SandboxSettings {
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
