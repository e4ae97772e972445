import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { FaultRule } from '../../sandbox/types';
import { log } from '../../test/e2e/setUp/commands';
import { randomInteger, randomOne } from './random';
import { createQueue } from './serial';
import { KEY_NAME } from './service';
import type { Systems } from './systems';

/** Number of disturbances per hour. Each kind happens at least once. */
const PER_HOUR = {
	n8nKilled: 9,
	n8nStopped: 6,
	postgresKilled: 6,
	outage: 24,
	keyRotated: 6,
	workflowDeleted: 12,
	burst: 15,
};

export type Kind = keyof typeof PER_HOUR;

const OUTAGES: Array<Omit<FaultRule, 'id' | 'match'>> = [
	{ kind: 'status', status: 503 },
	{ kind: 'status', status: 502, when: 'after' },
	{ kind: 'reset' },
	{ kind: 'reset', when: 'after' },
	{ kind: 'drop' },
	{ kind: 'hang' },
	{ kind: 'cutBody' },
	{ kind: 'notJson' },
	{ kind: 'slow', delayMs: 3000 },
];

/** Some requests go wrong at any time. */
const BACKGROUND: FaultRule[] = [
	{ kind: 'reset', when: 'after', probability: 0.01 },
	{ kind: 'status', status: 500, probability: 0.01 },
	{ kind: 'cutBody', probability: 0.01 },
];

/** Longest outage and downtime. */
const MAX_SECONDS = 60;

const pauseSeconds = async (seconds: number) => await pause(seconds * 1000);

/** Returns what each kind of disturbance does. A disturbance of n8n, PostgreSQL or the API key waits for the last one. */
function disturbancesOf({ service, week, n8n, postgres, credentials }: Systems) {
	const [inPostgresQueue, inKeyQueue] = [createQueue(), createQueue()];
	const { control } = service;
	const restart = async (signal: 'SIGKILL' | 'SIGTERM') =>
		await n8n.restart(signal, async () => await pauseSeconds(randomInteger(1, MAX_SECONDS) / 2));
	const act: Record<Kind, (seconds: number) => Promise<void>> = {
		n8nKilled: async () => await restart('SIGKILL'),
		n8nStopped: async () => await restart('SIGTERM'),
		postgresKilled: async (seconds) =>
			await inPostgresQueue(async () => {
				await postgres.kill();
				await pauseSeconds(seconds);
				await postgres.start();
			}),
		outage: async (seconds) => {
			const { id } = control.addFault({ ...randomOne(OUTAGES), times: 0, match: { keyName: KEY_NAME } });
			await pauseSeconds(seconds);
			control.clearFaults(id);
		},
		/** The old key is rejected until the user enters the new one. */
		keyRotated: async (seconds) =>
			await inKeyQueue(async () => {
				const { secret } = control.rotateKey(KEY_NAME);
				await pauseSeconds(seconds);
				await n8n.changeApiKey(credentials, service.sandbox.baseUrl, secret);
			}),
		workflowDeleted: async () => await week.deleteWorkflow(),
		burst: async () => week.burst(),
	};
	return act;
}

/** Returns times from the beginning, at which something is disturbed. */
function planDisturbances(durationMs: number): Array<{ at: number; kind: Kind }> {
	const planned = (Object.entries(PER_HOUR) as Array<[Kind, number]>).flatMap(([kind, perHour]) => {
		const count = Math.max(1, Math.round((perHour * durationMs) / 3_600_000));
		return Array.from({ length: count }, (_, i) => {
			const share = (i + Math.random()) / count;
			return { at: (0.03 + 0.9 * share) * durationMs, kind };
		});
	});
	return planned.sort((a, b) => a.at - b.at);
}

/** Disturbs the service, n8n and the database at random times. In the end, every system works. @returns how often */
export async function disturb(systems: Systems, durationMs: number): Promise<Record<Kind, number>> {
	const { control } = systems.service;
	for (const rule of BACKGROUND) control.addFault({ ...rule, times: 0, match: { keyName: KEY_NAME } });
	const act = disturbancesOf(systems);
	const counts = Object.fromEntries(Object.keys(PER_HOUR).map((kind) => [kind, 0])) as Record<Kind, number>;
	const startedAt = Date.now();
	const running: Array<Promise<void>> = [];
	const failures: unknown[] = [];
	for (const { at, kind } of planDisturbances(durationMs)) {
		await pause(Math.max(0, startedAt + at - Date.now()));
		if (failures.length > 0) break;
		counts[kind] += 1;
		log(`${kind} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
		const seconds = randomInteger(2, MAX_SECONDS);
		running.push(act[kind](seconds).catch((error: unknown) => void failures.push(error)));
	}
	await Promise.all(running);
	if (failures.length > 0) throw failures[0] as Error;
	await pause(Math.max(0, startedAt + durationMs - Date.now()));
	control.clearFaults();
	return counts;
}
