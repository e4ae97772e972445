import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http';
import { ControlError } from './errors';
import { FAULT_FIELDS, OPERATION_NAMES, type FaultKind, type FaultMatch, type FaultRule } from './types';
import { isJson, isObject, isIntegerBetween } from './values';

export const FAULT_KINDS = Object.keys(FAULT_FIELDS);
/** Kinds that change the service's response, so the request must take effect. */
export const AFTER_ONLY: readonly FaultKind[] = ['cutBody', 'trickle'];

const COMMON_FIELDS = ['id', 'match', 'kind', 'times', 'skip', 'probability', 'when'];
const RULE_FIELDS = [...COMMON_FIELDS, ...new Set(Object.values(FAULT_FIELDS).flat())];
const MATCH_FIELDS = ['method', 'path', 'pathRegex', 'keyName', 'operation'];
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_DELAY_MS = 3_600_000;
/** Headers that depend on the body, and one that Fastify would drop. */
const RESERVED_HEADERS = ['content-length', 'transfer-encoding', 'trailer', '__proto__'];

function requireThat(condition: boolean, message: string): void {
	if (!condition) throw new ControlError(400, message);
}

/** @throws ControlError 400 that names the invalid field */
export function validateFaultRule(rule: FaultRule): void {
	requireThat(isObject(rule), 'A fault rule must be an object.');
	requireKnownFields(rule, RULE_FIELDS, 'field of a fault rule');
	const { id, kind, when } = rule;
	requireThat(FAULT_KINDS.includes(kind), `"kind" must be one of: ${FAULT_KINDS.join(', ')}.`);
	const isId = id === undefined || (typeof id === 'string' && id !== '');
	requireThat(isId, '"id" must be a string of 1 character or more.');
	validateFrequency(rule);
	requireThat([undefined, 'before', 'after'].includes(when), '"when" must be "before" or "after".');
	requireThat(
		when !== 'before' || !AFTER_ONLY.includes(kind),
		`"when" must be "after" for the kind "${kind}", which changes the service's response.`,
	);
	const unused = Object.entries(rule).find(
		([field, value]) => value !== undefined && ![...COMMON_FIELDS, ...FAULT_FIELDS[kind]].includes(field),
	);
	requireThat(!unused, `"${unused?.[0]}" has no effect for the kind "${kind}": leave it out.`);
	validateResponse(rule);
	if (rule.match !== undefined) validateMatch(rule.match);
}

function requireKnownFields(object: object, known: string[], description: string): void {
	const unknown = Object.keys(object).find((field) => !known.includes(field));
	requireThat(unknown === undefined, `Unknown ${description} "${unknown}". Fields: ${known.join(', ')}.`);
}

function validateFrequency({ times, skip, probability }: FaultRule): void {
	const isCount = (value: unknown) =>
		value === undefined || isIntegerBetween(value, 0, Number.MAX_SAFE_INTEGER);
	requireThat(isCount(times) || times === Infinity, '"times" must be a whole number; 0 means always.');
	requireThat(isCount(skip), '"skip" must be a whole number.');
	const isChance = probability === undefined || isBetween(probability, 0, 1);
	requireThat(isChance, '"probability" must be a number from 0 to 1.');
}

function validateResponse(rule: FaultRule): void {
	const { kind, status, headers = {}, body, delayMs, location, bytes, keepOpen = false } = rule;
	if (kind === 'status') {
		// Statuses below 200 are not final responses.
		requireThat(isIntegerBetween(status, 200, 599), '"status" must be a whole number from 200 to 599.');
		const bodiless = status === 204 || status === 304;
		requireThat(!bodiless || !body, `"body" must be absent or "" when "status" is ${status}.`);
	}
	requireThat(body === undefined || isJson(body), '"body" must be JSON.');
	requireThat(isObject(headers), '"headers" must be an object.');
	for (const [name, value] of Object.entries(headers)) {
		const isReserved = RESERVED_HEADERS.includes(name.toLowerCase());
		requireThat(!isReserved, `"headers" must not contain "${name}", which the sandbox sets.`);
		requireThat(
			canSend(name, value),
			`"headers" must have names and string values that HTTP allows, unlike "${name}".`,
		);
	}
	if (kind === 'redirect') {
		const sendable = location !== '' && canSend('location', location);
		requireThat(sendable, '"location" must be a redirect target in characters that HTTP allows.');
		const isRedirect = status === undefined || REDIRECTS.includes(status);
		requireThat(isRedirect, `"status" of a redirect must be one of: ${REDIRECTS.join(', ')}.`);
	}
	if (kind === 'raw') {
		const isBytes = typeof bytes === 'string' && /^[\0-\xff]*$/.test(bytes);
		requireThat(isBytes, '"bytes" must be a string of characters from U+0000 to U+00FF.');
		requireThat(typeof keepOpen === 'boolean', '"keepOpen" must be true or false.');
	}
	const isDelay = delayMs === undefined ? kind !== 'slow' : isBetween(delayMs, 0, MAX_DELAY_MS);
	requireThat(isDelay, `"delayMs" must be a number of milliseconds from 0 to ${MAX_DELAY_MS}.`);
}

function validateMatch(match: FaultMatch): void {
	requireThat(isObject(match), '"match" must be an object.');
	requireKnownFields(match, MATCH_FIELDS, 'field of "match"');
	for (const [field, value] of Object.entries(match)) {
		requireThat(value === undefined || typeof value === 'string', `"${field}" of "match" must be a string.`);
	}
	const { method, operation } = match;
	const methods = method === undefined || METHODS.includes(method.toUpperCase());
	requireThat(methods, '"method" of "match" must be an HTTP method, such as GET.');
	const names: readonly string[] = OPERATION_NAMES;
	const known = operation === undefined || names.includes(operation);
	requireThat(known, `"operation" of "match" must be one of: ${names.join(', ')}.`);
}

function isBetween(value: unknown, min: number, max: number): boolean {
	return typeof value === 'number' && value >= min && value <= max;
}

function canSend(name: string, value: unknown): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value as string);
		return typeof value === 'string';
	} catch {
		return false;
	}
}
