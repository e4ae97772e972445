import { setTimeout as pause } from 'node:timers/promises';

/** An answer of n8n's that is no success. */
export class RestError extends Error {
	constructor(
		readonly status: number,
		readonly body: unknown,
		request: string,
	) {
		super(`${request}: ${status} ${typeof body === 'string' ? body.slice(0, 500) : JSON.stringify(body)}`);
	}
}

const OWNER = { email: 'owner@example.com', firstName: 'Olga', lastName: 'Owner', password: 'Passw0rd-e2e' };

const CREATES = ['/rest/credentials', '/rest/workflows'];

/** n8n's own REST API, as its editor uses it, logged in as the instance's owner. */
export class Rest {
	private cookie = '';
	private lastCreated: Promise<unknown> = Promise.resolve();

	constructor(readonly baseUrl: string) {}

	/**
	 * @returns the `data` of the answer, where it has one
	 * @throws RestError on any other status than 2xx
	 */
	async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: {
				...(body !== undefined && { 'content-type': 'application/json' }),
				'browser-id': 'end-to-end-tests',
				// n8n closes a connection that was idle, perhaps just as the next request is sent.
				connection: 'close',
				cookie: this.cookie,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(60_000),
		});
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
		const text = await response.text();
		let parsed: unknown = text;
		try {
			parsed = JSON.parse(text);
		} catch {
			// Not every answer is JSON.
		}
		if (!response.ok) throw new RestError(response.status, parsed, `${method} ${path}`);
		return (parsed !== null && typeof parsed === 'object' && 'data' in parsed ? parsed.data : parsed) as T;
	}

	readonly get = async <T = unknown>(path: string) => await this.call<T>('GET', path);
	readonly post = async <T = unknown>(path: string, body: unknown = {}) =>
		CREATES.includes(path) ? await this.create<T>(path, body) : await this.call<T>('POST', path, body);
	readonly patch = async <T = unknown>(path: string, body: unknown) =>
		await this.call<T>('PATCH', path, body);

	/** One after the other: with SQLite, n8n 1 can fail when two transactions run at the same time. */
	private async create<T>(path: string, body: unknown): Promise<T> {
		const created = this.lastCreated.then(async () => await this.call<T>('POST', path, body));
		this.lastCreated = created.catch(() => {});
		return await created;
	}

	/** As a person who opens a new n8n for the first time. */
	async setUpOwner(): Promise<void> {
		await this.post('/rest/owner/setup', OWNER);
	}

	async logIn(): Promise<void> {
		await this.post('/rest/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
	}

	/** Whether n8n takes requests: it says so of itself before its REST API is there. */
	async isReady(): Promise<boolean> {
		try {
			const ready = await fetch(`${this.baseUrl}/healthz/readiness`, { signal: AbortSignal.timeout(2000) });
			const settings = await fetch(`${this.baseUrl}/rest/settings`, { signal: AbortSignal.timeout(2000) });
			return ready.ok && (settings.headers.get('content-type') ?? '').includes('json');
		} catch {
			return false;
		}
	}
}

/**
 * Asks until there is an answer.
 *
 * @param what completes "Waited in vain for …"
 * @throws Error where there is none within the time
 */
export async function eventually<T>(
	what: string,
	ask: () => Promise<T | undefined | false> | T | undefined | false,
	patienceMs = 60_000,
): Promise<T> {
	const end = Date.now() + patienceMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > end) throw new Error(`Waited in vain for ${what}`);
		await pause(100);
	}
}

export const credentialsOfOwner = { email: OWNER.email, password: OWNER.password };
