import type { Comparison } from './compare';
import type { Sample } from './monitor';
import type { SoakReport } from './soak';

const sizes = (comparison: Comparison) =>
	Object.fromEntries(
		Object.entries(comparison).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
	) as Record<keyof Comparison, number>;

/** Returns the figures of a soak, without IDs. */
export function figures({ verdict, samples, counts, ...rest }: SoakReport) {
	const rounded = Object.entries(counts).map(([name, value]) => [name, Math.round(value)] as const);
	return {
		...rest,
		disturbances: Object.fromEntries(rounded),
		results: sizes(verdict.results),
		failedRuns: sizes(verdict.failedRuns),
		leads: verdict.leads,
		exported: verdict.exported,
		runsPerDay: verdict.runsPerDay,
		notRetried: verdict.left.length,
		memory: memory(samples),
		largestStateBytes: Math.max(0, ...samples.map(({ stateBytes }) => stateBytes)),
		violations: verdict.violations,
	};
}

/** n8n's resident memory, in MB. */
function memory(samples: Sample[]) {
	const stretches: Sample[][] = [];
	for (const sample of samples) {
		const last = stretches.at(-1)?.at(-1);
		if (!last || sample.uptimeSeconds < last.uptimeSeconds) stretches.push([]);
		stretches[stretches.length - 1].push(sample);
	}
	const minutes = (stretch: Sample[]) => Math.round((stretch.at(-1)?.uptimeSeconds ?? 0) / 60);
	const longest = stretches.sort((a, b) => minutes(b) - minutes(a))[0] ?? [];
	const mb = (sample?: Sample) => Math.round(sample?.memoryMb ?? 0);
	return {
		firstMinute: mb(samples.find(({ uptimeSeconds }) => uptimeSeconds >= 60)),
		last: mb(samples.at(-1)),
		most: mb(samples.reduce((most, each) => (each.memoryMb > most.memoryMb ? each : most), samples[0])),
		/** The longest time without a restart. */
		longest: {
			minutes: minutes(longest),
			from: mb(longest.find(({ uptimeSeconds }) => uptimeSeconds >= 60)),
			to: mb(longest.at(-1)),
		},
	};
}

/** Returns the figures and the verdict as plain lines. */
export function reportLines(report: SoakReport): string[] {
	const { violations, ...rest } = figures(report);
	const lines = Object.entries(rest).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
	return [...lines, '', ...(violations.length > 0 ? violations : ['Every promise was kept.'])];
}
