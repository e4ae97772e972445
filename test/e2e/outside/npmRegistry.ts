/* eslint-disable @n8n/community-nodes/no-restricted-imports -- not published */
import { readFileSync } from 'node:fs';
import { checksumOf } from '../../../scripts/release/checksum';
import { startRecorder } from './recorder';

const HOST = 'registry.npmjs.org';

/**
 * Starts a proxy on 127.0.0.1 that answers in place of npm's registry, for one package. n8n uses another registry only
 * with a licence.
 *
 * @param tarballs version → file
 */
export async function startNpmRegistry(name: string, tarballs: Record<string, string>) {
	const files = Object.entries(tarballs).map(([version, file]) => [version, readFileSync(file)] as const);
	const checksums = Object.fromEntries(files.map(([version, file]) => [version, checksumOf(file)]));
	const target = (path = '') => `GET ${HOST}/${name}${path}`;
	const tarballPath = (version: string) => `/-/${name}-${version}.tgz`;
	const versions = Object.fromEntries(
		files.map(([version]) => {
			const tarball = `https://${HOST}/${name}${tarballPath(version)}`;
			return [version, { name, version, dist: { tarball, integrity: checksums[version] } }];
		}),
	);
	const recorder = await startRecorder([HOST], {
		...Object.fromEntries(files.map(([version, file]) => [target(tarballPath(version)), () => file])),
		...Object.fromEntries(files.map(([version]) => [target(`/${version}`), () => versions[version]])),
		[target()]: () => ({ name, 'dist-tags': { latest: files.at(-1)?.[0] }, versions }),
	});
	return {
		/** Environment variables with which n8n and its npm use the registry, whatever npm's settings on this machine. */
		env: { ...recorder.env, NPM_CONFIG_GLOBALCONFIG: '/dev/null' },
		checksums,
		/** How often a version was downloaded. */
		downloads: (version: string) => recorder.bodiesOf(target(tarballPath(version))).length,
		close: recorder.close,
	};
}
