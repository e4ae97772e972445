import { ApiKeyStore } from './apiKeyStore';
import { FaultRules } from './faultRules';
import { IdempotencyStore } from './idempotencyStore';
import { seededRandom } from './ids';
import { Journal } from './journal';
import { RateLimits } from './rateLimit';
import type { SandboxSettings } from './settings';
import { Store } from './store';
import type { Clock } from './types';

/** Everything that a reset replaces. Requests in flight during a reset keep the old state. */
export interface ServiceState {
	/** Shared with all other fields: change it in place. */
	settings: SandboxSettings;
	clock: Clock;
	keys: ApiKeyStore;
	store: Store;
	idempotency: IdempotencyStore;
	limiter: RateLimits;
	faults: FaultRules;
	journal: Journal;
	/** Returns a number in [0, 1) for the list order `random` and for `staleProbability`. */
	random: () => number;
}

export function createServiceState(settings: SandboxSettings, clock: Clock): ServiceState {
	return {
		settings,
		clock,
		keys: new ApiKeyStore(clock),
		store: new Store(clock, settings),
		idempotency: new IdempotencyStore(),
		limiter: new RateLimits(clock, settings),
		faults: new FaultRules(),
		journal: new Journal(settings),
		random: seededRandom(1),
	};
}
