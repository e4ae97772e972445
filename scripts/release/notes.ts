import { SetUpError } from '../../test/e2e/setUp/commands';

const SECTIONS = /^(?=## )/m;
const VERSION = /^## (\S+)/;

/**
 * Returns what the changelog says about a version, without its heading.
 *
 * @throws SetUpError if it says nothing
 */
export function readNotes(changelog: string, version: string): string {
	const section = changelog.split(SECTIONS).find((text) => VERSION.exec(text)?.[1] === version);
	const notes = section?.split('\n').slice(1).join('\n').trim();
	if (notes) return notes;
	throw new SetUpError(`CHANGELOG.md says nothing about version ${version}. Write its section first.`);
}

/** Returns the section of the release notes that an administrator copies into the environment of n8n. */
export function describeChecksum(name: string, version: string, checksum: string): string {
	const packages = JSON.stringify([{ name, version, checksum }]);
	return `### Checksum

\`N8N_COMMUNITY_PACKAGES\` for this version (docs/self-hosting.md):

\`\`\`json
${packages}
\`\`\``;
}
