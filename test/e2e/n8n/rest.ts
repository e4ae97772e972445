import { eventually } from '../../eventually';

/** A response of n8n with another status than 2xx. */
export class RestError extends Error {
	constructor(
		readonly status: number,
		readonly body: unknown,
		request: string,
	) {
		super(`${request}: ${status} ${typeof body === 'string' ? body.slice(0, 500) : JSON.stringify(body)}`);
	}
}

/** The owner's login. */
export const OWNER = { email: 'owner@example.com', password: 'Passw0rd-e2e' };

/** n8n's own REST API, as its editor uses it, with the owner logged in. */
export class Rest {
	private lastCreated: Promise<unknown> = Promise.resolve();

	constructor(
		readonly baseUrl: string,
		public cookie = '',
	) {}

	/**
	 * @returns the `data` of the response, or the whole response if it has no `data`
	 * @throws RestError on any status other than 2xx
	 */
	async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const { response, text } = await this.send(method, path, body);
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) this.cookie = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
		let parsed: unknown = text;
		try {
			parsed = JSON.parse(text);
		} catch {
			// Not every response is JSON.
		}
		if (!response.ok) throw new RestError(response.status, parsed, `${method} ${path}`);
		return (parsed !== null && typeof parsed === 'object' && 'data' in parsed ? parsed.data : parsed) as T;
	}

	/** Sends a request, and sends it again while n8n's database is not ready. */
	private async send(method: string, path: string, body?: unknown) {
		return await eventually(`n8n's database to be ready for ${method} ${path}`, async () => {
			const response = await fetch(`${this.baseUrl}${path}`, {
				method,
				headers: {
					...(body !== undefined && { 'content-type': 'application/json' }),
					'browser-id': 'end-to-end-tests',
					// n8n can close an idle connection just when the next request is sent.
					connection: 'close',
					cookie: this.cookie,
				},
				...(body !== undefined && { body: JSON.stringify(body) }),
				signal: AbortSignal.timeout(60_000),
			});
			const text = await response.text();
			// On a busy machine, the database is late, or, with SQLite and queue mode, locked by another process of n8n.
			const isLate = method === 'GET' && response.status === 503;
			return (response.ok || !(isLate || text.includes('SQLITE_BUSY'))) && { response, text };
		});
	}

	readonly get = async <T = unknown>(path: string) => await this.call<T>('GET', path);
	readonly post = async <T = unknown>(path: string, body: unknown = {}) =>
		await this.call<T>('POST', path, body);
	readonly patch = async <T = unknown>(path: string, body: unknown) =>
		await this.call<T>('PATCH', path, body);

	/** Sends one request at a time: with SQLite, n8n 1 can fail when two transactions run at the same time. */
	async create<T>(path: string, body: unknown): Promise<T> {
		const created = this.lastCreated.then(async () => await this.post<T>(path, body));
		this.lastCreated = created.catch(() => {});
		return await created;
	}

	async setUpOwner(): Promise<void> {
		await this.post('/rest/owner/setup', { ...OWNER, firstName: 'Olga', lastName: 'Owner' });
	}

	async logIn(): Promise<void> {
		const { email, password } = OWNER;
		await this.post('/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Whether n8n accepts requests. It reports readiness before its REST API is there. */
	async isReady(): Promise<boolean> {
		try {
			const ready = await fetch(`${this.baseUrl}/healthz/readiness`, { signal: AbortSignal.timeout(2000) });
			const login = await fetch(`${this.baseUrl}/rest/login`, { signal: AbortSignal.timeout(2000) });
			return ready.ok && (login.headers.get('content-type') ?? '').includes('json');
		} catch {
			return false;
		}
	}
}
