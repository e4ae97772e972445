import type { Figures } from './figures';

/** Returns the benchmark's section of docs/engineering.md: each target, with what was measured. */
export function markdown({ date, environment: env, targets }: Figures): string {
	const lines = targets.map(
		({ target, measured, met }) => `- ${target}: ${measured}${met ? '' : ' (**not met**)'}`,
	);
	return `Measured on ${date}: n8n-nodes-prospector ${env.package}, n8n-core ${env.n8nCore} on Node.js ${env.node}, a whole n8n ${env.wholeN8n}, ${env.cpus} CPUs, ${env.platform}.

${lines.join('\n')}`;
}
