import { setTimeout as pause } from 'node:timers/promises'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { randomInteger, randomOne } from './random';
import type { FaultRule } from '../../sandbox/types';
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

interface Options extends Pick<Systems, 'service' | 'week' | 'n8n' | 'postgres' | 'credentials'> {
	log: (line: string) => void;
}

/** Longest outage and downtime. */
const MAX_SECONDS = 60;

export type Counts = Record<Kind, number>;

/** Disturbs the service, n8n and the database at random times. */
export class Disturbances {
	readonly counts: Counts = {
		...{ n8nKilled: 0, n8nStopped: 0, postgresKilled: 0, outage: 0, keyRotated: 0 },
		...{ workflowDeleted: 0, burst: 0 },
	};
	private postgresAction: Promise<unknown> = Promise.resolve();
	private keyAction: Promise<unknown> = Promise.resolve();

	constructor(private readonly systems: Options) {
		for (const rule of BACKGROUND)
			systems.service.control.addFault({ ...rule, times: 0, match: { keyName: KEY_NAME } });
	}

	/** Runs all disturbances of a time, and ends with every system working. */
	async run(durationMs: number): Promise<void> {
		const { service, log } = this.systems;
		const planned: Array<{ at: number; kind: Kind }> = [];
		for (const [kind, perHour] of Object.entries(PER_HOUR) as Array<[Kind, number]>) {
			const count = Math.max(1, Math.round((perHour * durationMs) / 3_600_000));
			for (let i = 0; i < count; i++) {
				const share = (i + Math.random()) / count;
				planned.push({ at: (0.03 + 0.9 * share) * durationMs, kind });
			}
		}
		planned.sort((a, b) => a.at - b.at);
		const startedAt = Date.now();
		const running: Array<Promise<void>> = [];
		const failures: unknown[] = [];
		for (const { at, kind } of planned) {
			await pause(Math.max(0, startedAt + at - Date.now()));
			if (failures.length > 0) break;
			this.counts[kind] += 1;
			log(`${kind} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
			const disturb = async () => await this[kind]();
			running.push(disturb().catch((error: unknown) => void failures.push(error)));
		}
		await Promise.all(running);
		if (failures.length > 0) throw failures[0] as Error;
		await pause(Math.max(0, startedAt + durationMs - Date.now()));
		service.control.clearFaults();
	}

	private seconds(min = 2): number {
		return randomInteger(min, MAX_SECONDS);
	}

	private async n8nKilled(): Promise<void> {
		await this.restartN8n('SIGKILL');
	}

	private async n8nStopped(): Promise<void> {
		await this.restartN8n('SIGTERM');
	}

	private async restartN8n(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
		const seconds = this.seconds(1) / 2;
		await this.systems.n8n.restart(signal, async () => await pause(seconds * 1000));
	}

	private async postgresKilled(): Promise<void> {
		const { postgres } = this.systems;
		const seconds = this.seconds();
		this.postgresAction = this.postgresAction.then(async () => {
			await postgres.kill();
			await pause(seconds * 1000);
			await postgres.start();
		});
		await this.postgresAction;
	}

	private async outage(): Promise<void> {
		const { control } = this.systems.service;
		const seconds = this.seconds();
		const rule = randomOne(OUTAGES);
		const { id } = control.addFault({ ...rule, times: 0, match: { keyName: KEY_NAME } });
		await pause(seconds * 1000);
		control.clearFaults(id);
	}

	/** The old key is rejected until the user enters the new one. */
	private async keyRotated(): Promise<void> {
		const { service, n8n, credentials } = this.systems;
		const seconds = this.seconds();
		this.keyAction = this.keyAction.then(async () => {
			const { secret } = service.control.rotateKey(KEY_NAME);
			await pause(seconds * 1000);
			await n8n.changeApiKey(credentials, service.sandbox.baseUrl, secret);
		});
		await this.keyAction;
	}

	private async workflowDeleted(): Promise<void> {
		await this.systems.week.deleteWorkflow();
	}

	private burst(): void {
		this.systems.week.burst();
	}
}
