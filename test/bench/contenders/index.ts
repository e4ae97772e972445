import type { Job, Ready } from '../job';

/** Loads what a job needs, and nothing else: what another contender needs must not count as this one's memory. */
export async function prepare(job: Job): Promise<Ready> {
	if (job.means.by === 'undici') {
		const { undiciContender } = await import('./undici');
		return undiciContender(job, job.means);
	}
	const { n8nContender } = await import('./n8n');
	return await n8nContender(job);
}
