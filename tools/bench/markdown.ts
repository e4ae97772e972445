import type { Figures } from './figures';

/** Returns the benchmark's section of docs/engineering.md: each target that was missed, with what was measured. */
export function markdown({ date, environment: env, targets }: Figures): string {
	const missed = targets.filter(({ met }) => !met);
	const lines = missed.map(({ target, measured }) => `- ${target}: ${measured}`);
	return `Measured on ${date}: n8n-nodes-prospector ${env.package}, n8n-core ${env.n8nCore} on Node.js ${env.node}, a whole n8n ${env.wholeN8n}, ${env.cpus} CPUs, ${env.platform}. ${targets.length - missed.length} of ${targets.length} targets are met. Missed:

${lines.join('\n')}`;
}
