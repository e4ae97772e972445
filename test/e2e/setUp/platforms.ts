/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { E2E } from './commands';

/** The tested n8n releases, newest first. Each has a folder `n8n-<name>` with its lock file. */
export const RELEASES = ['2.41', '1.123'] as const;
export type Release = (typeof RELEASES)[number];

/** The classic scheduler polls with timers in memory, the durable one (n8n 2.41) with jobs in the database. */
const SCHEDULERS = ['classic', 'durable'] as const;
export type Scheduler = (typeof SCHEDULERS)[number];

export interface Platform {
	release: Release;
	node: number;
	scheduler: Scheduler;
}

/** Every tested pair of n8n and Node.js, with each scheduler that the release has. */
export const ALL_PLATFORMS: Platform[] = [
	...SCHEDULERS.map((scheduler): Platform => ({ release: '2.41', node: 24, scheduler })),
	...[20, 22, 24].map((node): Platform => ({ release: '1.123', node, scheduler: 'classic' })),
];

/** The newest n8n on the newest Node.js. */
export const DEFAULT_PLATFORM = ALL_PLATFORMS[0];

export const platformName = ({ release, node, scheduler }: Platform): string =>
	`${release} on Node.js ${node}${scheduler === 'durable' ? ' with the durable scheduler' : ''}`;

type PlatformFilter = Partial<Record<'n8n' | 'node' | 'scheduler', string>> & { all?: boolean };

/** Returns the platforms that match a command line: with `all` every one, otherwise at most the first. */
export function choosePlatforms({ n8n, node, scheduler, all }: PlatformFilter): Platform[] {
	const matching = ALL_PLATFORMS.filter(
		(platform) =>
			(n8n === undefined || n8n === platform.release) &&
			(node === undefined || node === String(platform.node)) &&
			(scheduler === undefined || scheduler === platform.scheduler),
	);
	return all ? matching : matching.slice(0, 1);
}

export const releaseFolder = (release: Release) => join(E2E, `n8n-${release}`);

export const readManifest = (release: Release) =>
	JSON.parse(readFileSync(join(releaseFolder(release), 'package.json'), 'utf8')) as Record<
		'dependencies' | 'optionalDependencies',
		Record<string, string>
	>;
