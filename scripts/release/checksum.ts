import { createHash } from 'node:crypto';

/** Returns npm's integrity of a tarball, which n8n compares with the checksum in `N8N_COMMUNITY_PACKAGES`. */
export const checksumOf = (tarball: Buffer): string =>
	`sha512-${createHash('sha512').update(tarball).digest('base64')}`;
