import type { IDataObject } from 'n8n-workflow';
import { isObject, toText } from '../utils';

/** What an API key can do, as far as its identity says. */
export interface KeyAccess {
	canRead: boolean;
	canRun: boolean;
	isReadOnly: boolean;
}

/**
 * Finds scopes and read-only access in the identity of an API key. The contract does not show its fields (section 4):
 * without any that are known here, the key can do everything.
 */
export function parseKeyAccess(identity: IDataObject): KeyAccess {
	const parts = [identity, ...Object.values(identity).filter(isObject)];
	const isReadOnly = parts.some(
		({ read_only: flag, access, membership, role }) =>
			flag === true || [access, membership, role].some(saysReadOnly),
	);
	const scopes = parts.map((part) => parseScopes(part.scopes)).find((one) => one !== undefined);
	const has = (scope: string) => scopes === undefined || scopes.includes(scope);
	return { canRead: has('prospector.read'), canRun: has('prospector.run') && !isReadOnly, isReadOnly };
}

const saysReadOnly = (value: unknown) => /^read[ _-]?only$/i.test(toText(value));

/** Longer than all scopes of a service. Bounds the time that splitting takes. */
const MAX_SCOPES_LENGTH = 100_000;

/** Returns undefined for a value that does not list scopes. */
function parseScopes(value: unknown): string[] | undefined {
	if (typeof value === 'string' && value.length <= MAX_SCOPES_LENGTH)
		return value.split(/[\s,]+/).filter((scope) => scope !== '');
	return Array.isArray(value) ? value.map(toText) : undefined;
}

/** The message of a successful test. @param access absent if the key may not read its own identity */
export function connectedMessage(access?: KeyAccess): string {
	if (access === undefined || (access.canRead && access.canRun)) return 'Connected';
	if (!access.canRead) {
		return "Connected. This API key can't read Prospector workflows, runs and results: it lacks the scope 'prospector.read'";
	}
	const reason = access.isReadOnly ? 'belongs to a read-only member' : "lacks the scope 'prospector.run'";
	return `Connected. This API key can't start runs or change Prospector workflows: it ${reason}`;
}
