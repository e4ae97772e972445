import { FaultRules } from './faults';
import { IdempotencyStore } from './idempotency';
import { Journal } from './journal';
import { ApiKeyStore } from './keys';
import { RollingLimit } from './rateLimit';
import type { SandboxSettings } from './settings';
import { Store } from './store';
import type { Clock } from './types';

/** All the state there is. A reset makes a new one; requests still under way keep the old one. */
export interface ServiceState {
	/** Shared with every part below: changing a field in place changes it for all. */
	settings: SandboxSettings;
	clock: Clock;
	keys: ApiKeyStore;
	store: Store;
	idempotency: IdempotencyStore;
	limiter: RollingLimit;
	faults: FaultRules;
	journal: Journal;
}

export function createWorld(settings: SandboxSettings, clock: Clock): ServiceState {
	return {
		settings,
		clock,
		keys: new ApiKeyStore(clock),
		store: new Store(clock, settings),
		idempotency: new IdempotencyStore(clock, settings),
		limiter: new RollingLimit(clock, settings),
		faults: new FaultRules(settings),
		journal: new Journal(settings),
	};
}
