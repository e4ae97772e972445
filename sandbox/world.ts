import { FaultBook } from './faults';
import { IdempotencyMemory } from './idempotency';
import { Journal } from './journal';
import { KeyRing } from './keys';
import { RollingLimit } from './rateLimit';
import type { SandboxSettings } from './settings';
import { Store } from './store';
import type { Clock } from './types';

/** All the state there is. A reset makes a new one; requests still under way keep the old one. */
export interface World {
	/** Shared with every part below: changing a field in place changes it for all. */
	settings: SandboxSettings;
	clock: Clock;
	keys: KeyRing;
	store: Store;
	idempotency: IdempotencyMemory;
	limiter: RollingLimit;
	faults: FaultBook;
	journal: Journal;
}

export function createWorld(settings: SandboxSettings, clock: Clock): World {
	return {
		settings,
		clock,
		keys: new KeyRing(clock),
		store: new Store(clock, settings),
		idempotency: new IdempotencyMemory(clock, settings),
		limiter: new RollingLimit(clock, settings),
		faults: new FaultBook(settings),
		journal: new Journal(settings),
	};
}
