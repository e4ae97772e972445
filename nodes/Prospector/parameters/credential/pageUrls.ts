import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { UserMessage } from '../../messages/userMessage';
import { toText } from '../../utils';

/** Servers accept no longer addresses. */
export const MAX_URL_LENGTH = 8000;

/** Settings of the credential for the service's web pages; the contract shows none. */
const SETTINGS = [
	{ name: 'workflowPageUrl', label: 'Workflow Page URL', id: 'workflow_id' },
	{ name: 'runPageUrl', label: 'Run Page URL', id: 'run_id' },
] as const;

type Setting = (typeof SETTINGS)[number];

/** Addresses with placeholders such as `{workflow_id}`; absent if none is set, or if it can't be used. */
export type PageUrls = { [name in Setting['name']]?: string };

/** The issue is why an address can't be used. It costs only the links, because no request depends on it. */
export function parsePageUrls(credential: ICredentialDataDecryptedObject) {
	const parsed: { pageUrls: PageUrls; issue?: UserMessage } = { pageUrls: {} };
	for (const setting of credential.showAdvanced === true ? SETTINGS : []) {
		const template = toText(credential[setting.name]).trim();
		if (template === '') continue;
		const flaw = flawOf(template, setting);
		if (flaw === undefined) parsed.pageUrls[setting.name] = template;
		else parsed.issue ??= pageUrlIssue(flaw, setting);
	}
	return parsed;
}

const pageUrlIssue = (flaw: string, { label, id }: Setting): UserMessage => ({
	message: `'${label}' ${flaw}`,
	description: `Enter the address of such a page with {${id}} in place of the ID, e.g. https://app.example.com/${id.replace('_id', 's')}/{${id}}`,
});

/** Returns why an address can't be used, as the end of a sentence; undefined if it can. */
function flawOf(template: string, { id }: Setting): string | undefined {
	if (template.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters`;
	const placeholders = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
	const isAddress = /^https?:\/\//i.test(template) && URL.canParse(template.replace(/\{[^{}]*\}/g, 'x'));
	if (!isAddress) return 'is not a web address that starts with https://';
	// The page of a run may need the ID of its workflow, too.
	const unknown = placeholders.find((name) => name !== id && name !== 'workflow_id');
	if (unknown !== undefined) return `has {${unknown}} in it, which has no meaning`;
	if (!placeholders.includes(id)) return `lacks {${id}}`;
	// An ID must not decide on the host.
	return /^https?:\/\/[^/?#]*[{}@]/i.test(template)
		? 'has more than a host before its first slash'
		: undefined;
}
