/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SandboxSettings } from '../../sandbox/settings';
import type { JournalEntry, KeyView, SeedOutcome, SeedRequest } from '../../sandbox/types';

/** The control API of a sandbox in its own process. */
export interface Service {
	baseUrl: string;
	seed(request: SeedRequest): Promise<SeedOutcome>;
	/** Creates an API key. Each has its own rolling limit. */
	newKey(name: string): Promise<string>;
	/** Returns the requests with a key. */
	requestsOf(keyName: string): Promise<JournalEntry[]>;
	clearJournal(): Promise<void>;
	close(): void;
}

const JSON_HEADER = { 'content-type': 'application/json' };

/** Starts the sandbox in its own process. */
export async function startService(settings: Partial<SandboxSettings>): Promise<Service> {
	const child = fork(join(__dirname, 'sandboxProcess.ts'), [JSON.stringify(settings)], {
		execArgv: ['--import', 'tsx'],
	});
	const died = once(child, 'exit').then(() => {
		throw new Error('The sandbox could not be started');
	});
	const [{ baseUrl }] = (await Promise.race([once(child, 'message'), died])) as [{ baseUrl: string }];
	died.catch(() => {});
	const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
		const request = body ? { headers: JSON_HEADER, body: JSON.stringify(body) } : {};
		const answer = await fetch(`${baseUrl}/_control${path}`, { method, ...request });
		if (!answer.ok) throw new Error(`The sandbox refused ${method} ${path}: ${await answer.text()}`);
		return (await answer.json()) as T;
	};
	return {
		baseUrl,
		seed: async (request) => await control('POST', '/seed', request),
		newKey: async (name) => (await control<KeyView>('POST', '/keys', { name })).secret,
		requestsOf: async (keyName) => {
			const entries = await control<JournalEntry[]>('GET', '/journal');
			return entries.filter((entry) => entry.keyName === keyName);
		},
		clearJournal: async () => await control('DELETE', '/journal'),
		close: () => void child.disconnect(),
	};
}
