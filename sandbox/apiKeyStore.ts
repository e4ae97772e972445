import type { Clock } from './clock';
import { ApiError, ControlError } from './errors';
import { digest, iso } from './ids';

/** Permission of the membership that issued a key (contract, section 5.3). */
export type Membership = 'full' | 'read_only';

export type KeyStatus = 'active' | 'revoked' | 'expired';

/** A key in the control API. Rotated records stay listed as `revoked`. */
export interface KeyView {
	name: string;
	secret: string;
	membership: Membership;
	scopes: string[];
	status: KeyStatus;
	/** ISO 8601; null if the key never expires. */
	expiresAt: string | null;
}

export interface NewKey {
	/** Unique; letters, digits, `_` and `-`. */
	name: string;
	/** Default `full`. */
	membership?: Membership;
	/** Default: every scope (contract, section 5.2). */
	scopes?: string[];
	/** ISO 8601; default never. */
	expiresAt?: string | null;
}

/** Secrets of the ready-made keys. */
export interface ReadyMadeKeys {
	full: string;
	readOnlyScope: string;
	noMeRead: string;
	readOnlyMembership: string;
	revoked: string;
	expired: string;
}

/** Contract, section 5.2. */
export const SCOPES = [
	'me.read',
	'leads.read',
	'leads.write',
	'leads.import',
	'leads.export',
	'lead-fields.read',
	'messages.read',
	'inbox.read',
	'webhooks.write',
	'prospector.read',
	'prospector.run',
] as const;

export type Scope = (typeof SCOPES)[number];

/** A readable prefix is required (contract, section 5.1); this one is our choice. */
export const SECRET_PREFIX = 'prospector_sandbox_';

const DAY_MS = 86_400_000;

export interface KeyRecord {
	/** Differs between the records of a rotated key. Rate limits are counted per ID. */
	id: string;
	name: string;
	secret: string;
	membership: Membership;
	scopes: readonly string[];
	expiresAt: number | null;
	revoked: boolean;
	createdAt: number;
}

export class ApiKeyStore {
	private readonly records: KeyRecord[] = [];

	constructor(private readonly clock: Clock) {
		this.create({ name: 'full' });
		this.create({ name: 'read_only_scope', scopes: ['me.read', 'prospector.read'] });
		this.create({ name: 'no_me_read', scopes: ['prospector.read', 'prospector.run'] });
		this.create({ name: 'read_only_membership', membership: 'read_only' });
		this.create({ name: 'revoked' });
		this.findCurrent('revoked').revoked = true;
		this.create({ name: 'expired', expiresAt: iso(clock() - DAY_MS) });
	}

	readyMade(): ReadyMadeKeys {
		const secret = (name: string) => this.findCurrent(name).secret;
		return {
			full: secret('full'),
			readOnlyScope: secret('read_only_scope'),
			noMeRead: secret('no_me_read'),
			readOnlyMembership: secret('read_only_membership'),
			revoked: secret('revoked'),
			expired: secret('expired'),
		};
	}

	/** @throws ControlError 400 on an invalid or existing name, an unknown scope or membership, or an invalid date */
	create(key: NewKey): KeyView {
		if (typeof key.name !== 'string' || !/^[\w-]{1,64}$/.test(key.name)) {
			throw new ControlError(400, '"name" must be 1 to 64 letters, digits, "_" or "-".');
		}
		if (this.records.some((record) => record.name === key.name)) {
			throw new ControlError(400, `A key named "${key.name}" already exists.`);
		}
		const membership = key.membership ?? 'full';
		if (membership !== 'full' && membership !== 'read_only') {
			throw new ControlError(400, '"membership" must be "full" or "read_only".');
		}
		const scopes: unknown = key.scopes ?? SCOPES;
		const known: readonly unknown[] = SCOPES;
		if (!Array.isArray(scopes) || !scopes.every((scope) => known.includes(scope))) {
			throw new ControlError(400, `"scopes" must be an array of: ${SCOPES.join(', ')}.`);
		}
		const expiresAt = key.expiresAt == null ? null : Date.parse(key.expiresAt);
		if (key.expiresAt != null && (typeof key.expiresAt !== 'string' || Number.isNaN(expiresAt)))
			throw new ControlError(400, '"expiresAt" must be an ISO 8601 time.');
		return this.toView(this.add({ name: key.name, membership, scopes: [...scopes], expiresAt }));
	}

	/** Creates a new secret and revokes the previous record at once (contract, section 5.3, rule 4). */
	rotate(name: string): KeyView {
		const previous = this.findCurrent(name);
		previous.revoked = true;
		return this.toView(this.add(previous));
	}

	list(): KeyView[] {
		return this.records.map((record) => this.toView(record));
	}

	/** Returns the name of the key in an Authorization header, even if the key is revoked or expired. */
	keyNameOf(authorization: string | undefined): string | null {
		return this.findBySecret(parseBearer(authorization))?.name ?? null;
	}

	/** @throws ApiError 401 without a header, or if the key is malformed, revoked or expired (contract, section 5.4) */
	authenticate(authorization: string | undefined): KeyRecord {
		if (!authorization) throw new ApiError(401, 'no Authorization header');
		const secret = parseBearer(authorization);
		if (!secret) throw new ApiError(401, 'the Authorization header is not "Bearer <API_KEY>"');
		if (!secret.startsWith(SECRET_PREFIX)) throw new ApiError(401, 'malformed key');
		const record = this.findBySecret(secret);
		if (!record) throw new ApiError(401, 'unknown key with a valid prefix');
		const status = this.statusOf(record);
		if (status !== 'active') throw new ApiError(401, `${status} key`);
		return record;
	}

	private add(from: Pick<KeyRecord, 'name' | 'membership' | 'scopes' | 'expiresAt'>): KeyRecord {
		const generation = this.records.filter((record) => record.name === from.name).length + 1;
		const id = `${from.name}:${generation}`;
		const record: KeyRecord = {
			id,
			name: from.name,
			secret: `${SECRET_PREFIX}${from.name}_${digest(`key:${id}`, 24)}`,
			membership: from.membership,
			scopes: from.scopes,
			expiresAt: from.expiresAt,
			revoked: false,
			createdAt: this.clock(),
		};
		this.records.push(record);
		return record;
	}

	private findCurrent(name: string): KeyRecord {
		const record = this.records.filter((candidate) => candidate.name === name).pop();
		if (record) return record;
		const names = [...new Set(this.records.map((candidate) => candidate.name))];
		throw new ControlError(404, `There is no key named "${name}". Keys: ${names.join(', ')}.`);
	}

	private findBySecret(secret: string | undefined): KeyRecord | undefined {
		return this.records.find((record) => record.secret === secret);
	}

	private statusOf(record: KeyRecord): KeyStatus {
		if (record.revoked) return 'revoked';
		return record.expiresAt !== null && record.expiresAt <= this.clock() ? 'expired' : 'active';
	}

	private toView(record: KeyRecord): KeyView {
		const { name, secret, membership, scopes, expiresAt } = record;
		return {
			name,
			secret,
			membership,
			scopes: [...scopes],
			status: this.statusOf(record),
			expiresAt: expiresAt === null ? null : iso(expiresAt),
		};
	}
}

// Strict on purpose: the contract shows "Bearer" and one space.
function parseBearer(authorization: string | undefined): string | undefined {
	return /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
}

/** @throws ApiError 403 if the scopes or the membership don't allow the operation (contract, section 5.3) */
export function authorize(key: KeyRecord, required: { scope: Scope; write: boolean }): void {
	if (!key.scopes.includes(required.scope))
		throw new ApiError(403, `the key lacks the scope ${required.scope}`);
	if (required.write && key.membership === 'read_only')
		throw new ApiError(403, 'the membership is read-only');
}
