/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const load = createRequire(__filename);

/** The directory of the built package. `npm run simulate -- --without-rules` sets another one. */
const { PROSPECTOR_DIST: DIST = 'dist' } = process.env;

/**
 * Returns a module of the built package, which is the one that the node runs, and not its source.
 *
 * @param path below the directory
 */
export const fromDist = <Module>(path: string): Module => load(resolve(DIST, path)) as Module;
