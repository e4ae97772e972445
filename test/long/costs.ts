/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
// Prints the requests and delays of an event as in docs/engineering.md: node --import tsx test/long/costs.ts newRun
import { iso, seededRandom } from '../../sandbox/ids';
import { createSimulator, type Simulator } from '../../sandbox/simulator';
import { ActiveTrigger, DAY_MS, HOUR_MS, MINUTE_MS, VirtualTime } from '../simulator/activeTrigger';

const SECOND_MS = 1000;

/** Time between two runs of an active Prospector workflow. It moves against the polls, so that no delay repeats. */
const ACTIVE_INTERVAL_MS = 5 * MINUTE_MS + 7 * SECOND_MS;
const OTHER_INTERVAL_MS = 8 * HOUR_MS;
const RUN_LENGTH_MS = 4 * MINUTE_MS;
const RESULT_INTERVAL_MS = 30 * SECOND_MS;

/** Number of Prospector workflows, and of the active ones. */
const WORKSPACES = [
	[1, 1],
	[10, 1],
	[100, 100],
	[100, 2],
	[1000, 20],
];

interface Workload {
	/** `newRun` or `newResult`. */
	event: string;
	workflows: number;
	/** Number of those with a run every five minutes. */
	active: number;
}

/**
 * Simulates a service, and a trigger that polls all Prospector workflows once a minute with the default options.
 *
 * @returns a row of the table in the documentation
 * @throws what a poll throws
 */
async function measureRow(workload: Workload): Promise<string[]> {
	const { historyMs, warmUpMs, measuredMs, coolDownMs } = spansOf(workload);
	const time = new VirtualTime();
	const simulator = createSimulator({
		clock: () => time.nowMs,
		settings: {
			runStatuses: ['running', 'completed'],
			runStageMs: RUN_LENGTH_MS,
			limit: 1e6,
			journalSize: 1,
		},
	});
	const activatedAtMs = time.nowMs + historyMs;
	const startMs = activatedAtMs + warmUpMs;
	const endMs = startMs + measuredMs;
	const created = seedItems(simulator, workload, { activatedAtMs, endMs });
	const send = async (options: object) => await simulator.request(options as never);
	const trigger = new ActiveTrigger(time, send, {
		...{ event: workload.event, watch: 'all', simplify: false },
		options: { maxRequests: 30 },
	});
	time.nowMs = activatedAtMs;
	await trigger.activate();
	while (time.nowMs < endMs + coolDownMs) {
		time.advance(MINUTE_MS);
		await trigger.tick();
	}
	const isMeasured = (ms: number) => ms >= startMs && ms < endMs;
	const polls = trigger.polls.filter(({ startedAtMs }) => isMeasured(startedAtMs));
	const requests = polls.reduce((sum, poll) => sum + poll.requests, 0);
	const emittedAtMs = new Map(
		trigger.emitted.map(({ json, poll }) => [json.id, trigger.polls[poll].startedAtMs]),
	);
	const delaysOf = (ofActive: boolean): number[] =>
		[...created]
			.filter(([, { isActive, createdAtMs }]) => isActive === ofActive && isMeasured(createdAtMs))
			.map(([id, { createdAtMs }]) => (emittedAtMs.get(id) ?? Infinity) - createdAtMs);
	const counts = [workload.workflows, workload.active, (requests / measuredMs) * DAY_MS];
	return [
		...counts.map((count) => Math.round(count).toLocaleString('en-US')),
		...[true, false].map((ofActive) => toCell(delaysOf(ofActive))),
	];
}

/**
 * Returns how much time to simulate: with runs before the activation, which are watched for a day and so add to the
 * requests; then before the first item that counts; with items and requests that count; and until their last one is found.
 */
function spansOf({ workflows, active }: Workload) {
	// A poll uses all of its requests in any case.
	if (workflows > 10) {
		const spanMs = 40 * MINUTE_MS;
		return { historyMs: HOUR_MS, warmUpMs: spanMs, measuredMs: spanMs, coolDownMs: HOUR_MS };
	}
	// A few Prospector workflows with few runs are measured longer.
	const measuredMs = (active > 1 ? 3 : 12) * HOUR_MS;
	return { historyMs: DAY_MS, warmUpMs: HOUR_MS, measuredMs, coolDownMs: 10 * MINUTE_MS };
}

/** Adds all items in advance, and returns them by ID. The service shows each of them from its creation time on. */
function seedItems(
	{ control }: Simulator,
	workload: Workload,
	{ activatedAtMs, endMs }: { activatedAtMs: number; endMs: number },
) {
	const random = seededRandom(1);
	const created = new Map<string, { createdAtMs: number; isActive: boolean }>();
	const { event, workflows, active } = workload;
	const { historyMs } = spansOf(workload);
	for (const [index, workflowId] of control.seed({ workflows }).workflows.entries()) {
		const isActive = index < active;
		const intervalMs = isActive ? ACTIVE_INTERVAL_MS : OTHER_INTERVAL_MS;
		const firstAtMs = activatedAtMs - Math.max(historyMs, intervalMs) + Math.floor(random() * intervalMs);
		for (let createdAtMs = firstAtMs; createdAtMs < endMs; createdAtMs += intervalMs) {
			const run = { workflowId, live: true, results: 0, createdAt: iso(createdAtMs) };
			const [runId] = control.seed({ runs: [run] }).runs;
			if (event === 'newRun') created.set(runId, { createdAtMs, isActive });
			else if (createdAtMs >= activatedAtMs) {
				for (let afterMs = RESULT_INTERVAL_MS; afterMs <= RUN_LENGTH_MS; afterMs += RESULT_INTERVAL_MS) {
					const resultAtMs = createdAtMs + afterMs;
					const { results } = control.seed({ results: [{ runId, createdAt: iso(resultAtMs) }] });
					created.set(results[0], { createdAtMs: resultAtMs, isActive });
				}
			}
		}
	}
	return created;
}

/** Returns the median delay in minutes, and the one within which 95 % of the items are emitted. */
function toCell(delaysMs: number[]): string {
	const sorted = delaysMs.sort((a, b) => a - b);
	const minutesAt = (part: number) => {
		const delayMs = sorted[Math.floor(part * (sorted.length - 1))];
		return delayMs > HOUR_MS ? '> 60' : (delayMs / MINUTE_MS).toFixed(1);
	};
	return sorted.length > 0 ? `${minutesAt(0.5)}, ${minutesAt(0.95)}` : '';
}

async function printRows(event: string): Promise<void> {
	const rows: string[][] = [];
	for (const [workflows, active] of WORKSPACES) rows.push(await measureRow({ event, workflows, active }));
	process.stdout.write(JSON.stringify(rows));
}

void printRows(process.argv[2]);
