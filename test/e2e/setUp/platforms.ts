import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { E2E } from './commands';

/** The tested n8n releases, newest first. Each has a folder `n8n-<name>` with its lock file. */
export const RELEASES = ['2.41', '1.123'] as const;
export type Release = (typeof RELEASES)[number];

/** The classic scheduler polls with timers in memory, the durable one (n8n 2.41) with jobs in the database. */
export const SCHEDULERS = ['classic', 'durable'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

/** An n8n release on a major version of Node.js. */
export interface Platform {
	release: Release;
	node: number;
	scheduler: Scheduler;
}

const NEWEST: Platform[] = SCHEDULERS.map((scheduler) => ({ release: '2.41', node: 24, scheduler }));
const OLDEST: Platform[] = [20, 22, 24].map((node) => ({ release: '1.123', node, scheduler: 'classic' }));

/** The newest n8n on the newest Node.js, with each scheduler, and the oldest n8n on the oldest Node.js. */
export const DEFAULT_PLATFORMS: Platform[] = [...NEWEST, OLDEST[0]];

/** Every Node.js version on which a release runs. */
export const ALL_PLATFORMS: Platform[] = [...NEWEST, ...OLDEST];

/** Lists the Node.js versions of each release, for usage texts. */
export const listNodeVersions = (): string =>
	ALL_PLATFORMS.filter(({ scheduler }) => scheduler === 'classic')
		.map(({ release, node }) => `${release}: ${node}`)
		.join(', ');

export const platformName = ({ release, node, scheduler }: Platform): string =>
	`${release} on Node.js ${node}${scheduler === 'durable' ? ' with the durable scheduler' : ''}`;

/** The parts of a platform that a command line can name. */
export type PlatformFilter = Partial<Record<'n8n' | 'node' | 'scheduler', string>> & { all?: boolean };

/** Returns the platforms that match a command line. Without `all` or a Node.js version, only default platforms match. */
export const choosePlatforms = ({ n8n, node, scheduler, all }: PlatformFilter): Platform[] =>
	(all || node !== undefined ? ALL_PLATFORMS : DEFAULT_PLATFORMS).filter((platform) => {
		const matches = (wanted: string | undefined, value: unknown) =>
			wanted === undefined || wanted === String(value);
		return (
			matches(n8n, platform.release) && matches(node, platform.node) && matches(scheduler, platform.scheduler)
		);
	});

export const releaseFolder = (release: Release) => join(E2E, `n8n-${release}`);

export const readManifest = (release: Release) =>
	JSON.parse(readFileSync(join(releaseFolder(release), 'package.json'), 'utf8')) as Record<
		'dependencies' | 'optionalDependencies',
		Record<string, string>
	>;
