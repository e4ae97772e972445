import type { Failure } from './failure';

/** What one request had to put up with. */
export interface RequestToll {
	/** Told when the request begins to be held back, and gives what is to be told when that ends; in milliseconds. */
	hold(now: number): (now: number) => void;
	/** Told when the request is sent again, with what came of it before. */
	again(failure: Failure): void;
}

/**
 * What the requests of one execution of a node had to put up with before they were answered. Only numbers, however many
 * requests there are.
 */
export class Toll {
	/** Requests that were sent more than once. */
	retried = 0;
	/** How often each cause made one of them go out again. */
	readonly causes = new Map<string, number>();
	/** Requests that were held back. */
	heldBack = 0;
	/** Milliseconds during which at least one was: many that wait side by side wait only once. */
	heldBackFor = 0;

	private holding = 0;
	private since = 0;

	request(): RequestToll {
		let isRetried = false;
		let isHeldBack = false;
		return {
			hold: (begin) => {
				if (this.holding++ === 0) this.since = begin;
				return (end) => {
					if (--this.holding === 0) this.heldBackFor += end - this.since;
					// A turn that comes at once takes some microseconds too.
					if (isHeldBack || end - begin < 1) return;
					isHeldBack = true;
					this.heldBack++;
				};
			},
			again: (failure) => {
				if (!isRetried) this.retried++;
				isRetried = true;
				const cause = causeOf(failure);
				this.causes.set(cause, (this.causes.get(cause) ?? 0) + 1);
			},
		};
	}
}

/** Why a request goes out again, in as few words as possible. */
export function causeOf(failure: Failure): string {
	switch (failure.kind) {
		case 'status':
			return `status ${failure.status}`;
		case 'network':
			return failure.sent ? 'connection lost' : 'no connection';
		case 'timeout':
			return 'no answer in time';
		default:
			return 'answer broke off';
	}
}
