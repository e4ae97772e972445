import type { IDataObject } from 'n8n-workflow';
import type { KeyAccess } from '../messages/credentialTestMessages';
import { isObject, toText } from '../utils';

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
