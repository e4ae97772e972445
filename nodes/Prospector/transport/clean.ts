import type { Failure } from './failure';

/**
 * A copy in which no text holds a secret or a line break, whoever put it there. Made before anything is shortened: of
 * a secret that was cut in half, the rest would stay.
 */
export function clean<T extends object>(texts: T, secrets: string[]): T {
	const redacted = (value: unknown) =>
		typeof value === 'string'
			? secrets
					.filter(Boolean)
					.reduce((rest, secret) => rest.split(secret).join('[API key]'), value)
					.replace(/\p{Cc}+/gu, ' ')
			: value;
	return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, redacted(value)])) as T;
}

/** The same for a failure, whose own words are not those of the service. */
export function cleanFailure(failure: Failure, secrets: string[]): Failure {
	const { kind } = failure;
	const flaw = failure.kind === 'brokenList' ? { flaw: failure.flaw } : {};
	return { ...clean(failure, secrets), ...flaw, kind } as Failure;
}
