import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http';
import { ControlError } from './errors';
import { OPERATIONS } from './operations';
import type { FaultKind, FaultMatch, FaultRule } from './types';
import { isJson, isObject, isWhole } from './values';

/** Fields that only some kinds have. */
const FIELDS_OF: Record<FaultKind, ReadonlyArray<keyof FaultRule>> = {
	drop: [],
	reset: [],
	status: ['status', 'headers', 'body'],
	cutBody: [],
	notJson: ['body'],
	notEnvelope: ['body'],
	slow: ['delayMs'],
	hang: [],
	redirect: ['status', 'location'],
	switchProtocols: [],
	trickle: ['delayMs'],
	endless: [],
};
export const KINDS = Object.keys(FIELDS_OF);
/** Kinds that harm the answer of the service, so there must be one. */
export const AFTER_ONLY: readonly FaultKind[] = ['cutBody', 'trickle'];

const COMMON_FIELDS = ['id', 'match', 'kind', 'times', 'skip', 'probability', 'when'];
const RULE_FIELDS = [...COMMON_FIELDS, ...new Set(Object.values(FIELDS_OF).flat())];
const MATCH_FIELDS = ['method', 'path', 'pathRegex', 'keyName', 'operation'];
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_DELAY_MS = 3_600_000;
/** Headers that the sandbox sets from the body, and one that Fastify would drop. */
const OWN_HEADERS = ['content-length', 'transfer-encoding', 'trailer', '__proto__'];

/** @throws ControlError 400 unless the condition holds */
function demand(condition: boolean, message: string): void {
	if (!condition) throw new ControlError(400, message);
}

/** @throws ControlError 400 on a rule that could not work; the message names the field */
export function checkRule(rule: FaultRule): void {
	demand(isObject(rule), 'A fault rule must be an object.');
	checkNames(rule, RULE_FIELDS, 'field of a fault rule');
	const { id, kind, when } = rule;
	demand(KINDS.includes(kind), `"kind" must be one of: ${KINDS.join(', ')}.`);
	demand(
		id === undefined || (typeof id === 'string' && id !== ''),
		'"id" must be a string of 1 character or more.',
	);
	checkFrequency(rule);
	demand([undefined, 'before', 'after'].includes(when), '"when" must be "before" or "after".');
	const possible = when !== 'before' || !AFTER_ONLY.includes(kind);
	demand(possible, `"when" must be "after" for the kind "${kind}", which harms the answer of the service.`);
	const useless = Object.entries(rule).find(
		([field, value]) => value !== undefined && ![...COMMON_FIELDS, ...FIELDS_OF[kind]].includes(field),
	);
	demand(!useless, `"${useless?.[0]}" has no effect for the kind "${kind}": leave it out.`);
	checkAnswer(rule);
	if (rule.match !== undefined) checkMatch(rule.match);
}

function checkNames(object: object, known: string[], what: string): void {
	const stray = Object.keys(object).find((field) => !known.includes(field));
	demand(stray === undefined, `Unknown ${what} "${stray}". There are: ${known.join(', ')}.`);
}

function checkFrequency({ times, skip, probability }: FaultRule): void {
	const isCount = (value: unknown) => value === undefined || isWhole(value, 0, Number.MAX_SAFE_INTEGER);
	demand(isCount(times) || times === Infinity, '"times" must be a whole number; 0 is without end.');
	demand(isCount(skip), '"skip" must be a whole number.');
	demand(
		probability === undefined || isWithin(probability, 0, 1),
		'"probability" must be a number from 0 to 1.',
	);
}

function checkAnswer({ kind, status, headers = {}, body, delayMs, location }: FaultRule): void {
	if (kind === 'status') {
		// Those below 200 announce an answer and are none.
		demand(isWhole(status, 200, 599), '"status" must be a whole number from 200 to 599.');
		const bodiless = status === 204 || status === 304;
		demand(!bodiless || !body, `"body" must be absent or "" when "status" is ${status}.`);
	}
	demand(body === undefined || isJson(body), '"body" must be JSON.');
	demand(isObject(headers), '"headers" must be an object.');
	for (const [name, value] of Object.entries(headers)) {
		demand(
			!OWN_HEADERS.includes(name.toLowerCase()),
			`"headers" must not have "${name}", which the sandbox sets.`,
		);
		demand(
			canSend(name, value),
			`"headers" must have names and strings that HTTP allows, not those of "${name}".`,
		);
	}
	if (kind === 'redirect') {
		const sendable = location !== '' && canSend('location', location);
		demand(sendable, '"location" must say where to redirect to, in characters that HTTP allows.');
		const statuses = REDIRECTS.join(', ');
		demand(
			status === undefined || REDIRECTS.includes(status),
			`"status" of a redirect must be one of: ${statuses}.`,
		);
	}
	const needed = kind === 'slow';
	demand(
		(delayMs === undefined && !needed) || isWithin(delayMs, 0, MAX_DELAY_MS),
		`"delayMs" must be a number of milliseconds from 0 to ${MAX_DELAY_MS}.`,
	);
}

function checkMatch(match: FaultMatch): void {
	demand(isObject(match), '"match" must be an object.');
	checkNames(match, MATCH_FIELDS, 'field of "match"');
	for (const [field, value] of Object.entries(match)) {
		demand(value === undefined || typeof value === 'string', `"${field}" of "match" must be a string.`);
	}
	const { method, operation } = match;
	const methods = method === undefined || METHODS.includes(method.toUpperCase());
	demand(methods, '"method" of "match" must be an HTTP method, such as GET.');
	const names = OPERATIONS.map(({ name }) => name);
	const known = operation === undefined || names.includes(operation);
	demand(known, `"operation" of "match" must be one of: ${names.join(', ')}.`);
}

function isWithin(value: unknown, low: number, high: number): boolean {
	return typeof value === 'number' && value >= low && value <= high;
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
