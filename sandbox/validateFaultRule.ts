/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { boolean, createCheck, integer, object, type Schema } from './checks';
import { ControlError } from './errors';
import { OPERATIONS } from './operations';
import type { FaultKind, FaultRule } from './types';
import { isJson } from './values';

/** Kinds that change the service's response, so the request must take effect. */
export const AFTER_ONLY: readonly FaultKind[] = ['cutBody', 'trickle'];

/** Headers that depend on the body, and one that Fastify would drop. */
const RESERVED_HEADERS = ['content-length', 'transfer-encoding', 'trailer', '__proto__'];

const string: Schema = { type: 'string' };
const count = integer(0, Number.MAX_SAFE_INTEGER);
const delayMs: Schema = { type: 'number', minimum: 0, maximum: 3_600_000 };
const body: Schema = {};

/** The fields of each kind. */
const KIND_FIELDS: Record<FaultKind, Record<string, Schema>> = {
	drop: {},
	reset: {},
	// Statuses below 200 are not final responses.
	status: { status: integer(200, 599), headers: { type: 'object', additionalProperties: string }, body },
	cutBody: {},
	notJson: { status: integer(200, 599), body },
	notEnvelope: { body },
	slow: { delayMs },
	hang: {},
	redirect: { status: { enum: [301, 302, 303, 307, 308] }, location: { type: 'string', minLength: 1 } },
	switchProtocols: {},
	trickle: { delayMs },
	endless: {},
	breakTls: {},
	// One character per byte.
	raw: { bytes: { type: 'string', pattern: '^[\\0-\\xff]*$' }, delayMs, keepOpen: boolean },
};
const REQUIRED: Partial<Record<FaultKind, string[]>> = {
	status: ['status'],
	slow: ['delayMs'],
	redirect: ['location'],
	raw: ['bytes'],
};

export const FAULT_KINDS = Object.keys(KIND_FIELDS) as FaultKind[];

const checkKind = createCheck({
	type: 'object',
	properties: { kind: { enum: FAULT_KINDS } },
	required: ['kind'],
});
const checks = new Map(FAULT_KINDS.map((kind) => [kind, createCheck(ruleSchema(kind))]));

function ruleSchema(kind: FaultKind): Schema {
	const common = {
		id: { type: 'string', minLength: 1 },
		match: object({
			path: string,
			keyName: string,
			operation: { enum: OPERATIONS.map(({ name }) => name) },
		}),
		kind: {},
		times: count,
		skip: count,
		probability: { type: 'number', minimum: 0, maximum: 1 },
		when: { enum: AFTER_ONLY.includes(kind) ? ['after'] : ['before', 'after'] },
	};
	return object({ ...common, ...KIND_FIELDS[kind] }, REQUIRED[kind]);
}

/** @throws ControlError 400 that names the invalid field */
export function validateFaultRule(rule: FaultRule): void {
	checkKind(rule);
	const { kind, times, status, headers = {}, location = '' } = rule;
	checks.get(kind)?.({ ...rule, times: times === Infinity ? 0 : times });
	requireThat(rule.body === undefined || isJson(rule.body), '"body" must be JSON.');
	const hasBody = Boolean(rule.body) && (status === 204 || status === 304);
	requireThat(!hasBody, `"body" must be absent or "" when "status" is ${status}.`);
	requireThat(canSend('location', location), '"location" must have characters that HTTP allows.');
	for (const [name, value] of Object.entries(headers)) {
		const isReserved = RESERVED_HEADERS.includes(name.toLowerCase());
		requireThat(!isReserved, `"headers" must not contain "${name}", which the sandbox sets.`);
		requireThat(
			canSend(name, value),
			`"headers" must have names and values that HTTP allows, not "${name}".`,
		);
	}
}

function requireThat(condition: boolean, message: string): void {
	if (!condition) throw new ControlError(400, message);
}

function canSend(name: string, value: string): boolean {
	try {
		validateHeaderName(name);
		validateHeaderValue(name, value);
		return true;
	} catch {
		return false;
	}
}
