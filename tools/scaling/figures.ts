export interface Configuration {
	workers: number;
	/** API keys; each has its own limit, and the same number of executions. */
	keys: number;
	/** Executions per API key. */
	executions: number;
	/** Executions that a worker runs at the same time. */
	concurrency: number;
}

/** Each execution reads one Prospector workflow this often. The path says which execution sent a request. */
export const ITEMS = 5;
export const LIMIT = 60;

const MINUTE = 60_000;

export interface Request {
	/** Milliseconds after the first execution was started. */
	at: number;
	isRejected: boolean;
	/** Index of the worker that sent it; -1 if unknown. */
	worker: number;
	key: string;
}

export interface Figures extends Configuration {
	limit: number;
	items: number;
	failedItems: number;
	/** Seconds until the last item, and what the limit makes possible. */
	seconds: number;
	possibleSeconds: number;
	/** Accepted requests in the whole minutes, as a share of the limit. */
	use: number;
	/** Rejected requests per worker and minute: on average, and on average without the first minute. */
	rejected: number;
	rejectedLater: number;
	/** Most rejected requests of one worker in a minute after the first. */
	worstMinute: number;
	requestsPerItem: number;
	/** Longest time in seconds in which a worker got nothing between its first and its last request. */
	longestGap: number;
	/** Accepted requests by worker. */
	perWorker: number[];
	/** Requests whose worker is not known. */
	unknownWorker: number;
	/** Peak resident memory by worker, in MiB. */
	memory: number[];
}

const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

export function summarize(
	configuration: Configuration,
	requests: Request[],
	failedItems: number,
	memory: number[],
): Figures {
	const { workers, keys, executions } = configuration;
	const accepted = requests.filter(({ isRejected }) => !isRejected);
	const rejected = requests.filter(({ isRejected }) => isRejected);
	const lastMs = Math.max(0, ...accepted.map(({ at }) => at));
	const minutes = Math.max(1, Math.floor(lastMs / MINUTE));
	const items = keys * executions * ITEMS;
	const inMinute = (minute: number, worker: number) =>
		rejected.filter((each) => each.worker === worker && Math.floor(each.at / MINUTE) === minute).length;
	const byWorker = Array.from({ length: workers }, (_, worker) => worker);
	const gapOf = (worker: number): number => {
		const own = requests.filter((each) => each.worker === worker);
		if (own.length === 0) return lastMs;
		const times = [
			own[0].at,
			...own.filter((each) => !each.isRejected).map(({ at }) => at),
			own.at(-1)?.at ?? 0,
		];
		return Math.max(...times.slice(1).map((at, i) => at - times[i]));
	};
	const later = rejected.filter(({ at }) => at >= MINUTE).length;
	return {
		...configuration,
		limit: LIMIT,
		items,
		failedItems,
		seconds: rounded(lastMs / 1000, 1),
		possibleSeconds: (Math.ceil((executions * ITEMS) / LIMIT) - 1) * 60,
		use: rounded(accepted.filter(({ at }) => at < minutes * MINUTE).length / (minutes * LIMIT * keys)),
		rejected: rounded(rejected.length / workers / (lastMs / MINUTE)),
		rejectedLater: rounded(later / workers / Math.max(1, lastMs / MINUTE - 1)),
		worstMinute: Math.max(
			0,
			...byWorker.flatMap((worker) => Array.from({ length: minutes }, (_, i) => inMinute(i + 1, worker))),
		),
		requestsPerItem: rounded(requests.length / items),
		longestGap: rounded(Math.max(...byWorker.map(gapOf)) / 1000, 1),
		perWorker: byWorker.map((worker) => accepted.filter((each) => each.worker === worker).length),
		unknownWorker: requests.filter(({ worker }) => worker < 0).length,
		memory,
	};
}
