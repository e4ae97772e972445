import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isInvalid, type Validated, type UserMessage } from '../../messages/userMessage';
import type { PathIds } from '../../transport/path';
import { toText } from '../../transport/values';

/** The service's pages that a person can open, as the credential may name them; the contract shows none. */
const SETTINGS = [
	{ name: 'workflowPageUrl', label: 'Workflow Page URL', needs: 'workflow_id', takes: ['workflow_id'] },
	{ name: 'runPageUrl', label: 'Run Page URL', needs: 'run_id', takes: ['run_id', 'workflow_id'] },
] as const;

type Setting = (typeof SETTINGS)[number];

/** Addresses with placeholders such as `{workflow_id}`; absent where none is set, or none that could be used. */
export type PageUrls = { [name in Setting['name']]?: string };

/**
 * The usable page addresses of a credential. One that cannot be used costs the links and nothing else: no request
 * depends on it.
 *
 * @param credential decrypted data of a `prospectorApi` credential
 */
export function parsePageUrls(credential: ICredentialDataDecryptedObject): PageUrls {
	return Object.fromEntries(
		checkedSettings(credential).flatMap(({ name, checked }) =>
			isInvalid(checked) ? [] : [[name, checked.value]],
		),
	);
}

/** What is wrong with the first page address that cannot be used, for whoever tests the credential. */
export function pageUrlProblem(credential: ICredentialDataDecryptedObject): UserMessage | undefined {
	return checkedSettings(credential)
		.map(({ checked }) => checked)
		.find(isInvalid);
}

/** The settings that are made, and shown to the person. */
function checkedSettings(credential: ICredentialDataDecryptedObject) {
	if (credential.showAdvanced !== true) return [];
	return SETTINGS.filter(({ name }) => toText(credential[name]).trim() !== '').map((setting) => ({
		name: setting.name,
		checked: checkPageUrl(toText(credential[setting.name]).trim(), setting),
	}));
}

function checkPageUrl(template: string, { label, needs, takes }: Setting): Validated<string> {
	const description = `Enter the address of such a page with {${needs}} in place of the ID, e.g. https://app.example.com/${needs.replace('_id', 's')}/{${needs}}`;
	const problem = (what: string): UserMessage => ({
		message: `'${label}' of the credential ${what}`,
		description,
	});
	const placeholders = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
	const filled = template.replace(/\{[^{}]*\}/g, 'x');
	if (!/^https?:\/\//i.test(template) || !URL.canParse(filled)) {
		return problem('is not a web address that starts with https://');
	}
	const unknown = placeholders.find((name) => !takes.some((known) => known === name));
	if (unknown !== undefined) return problem(`holds {${unknown}}, which stands for nothing`);
	if (!placeholders.includes(needs)) return problem(`does not hold {${needs}}`);
	// An id must not settle whose page is opened.
	if (/^https?:\/\/[^/?#]*[{}@]/i.test(template)) {
		return problem('holds more than a host before its first slash');
	}
	return { value: template };
}

/** The address of a page, each id encoded so that it stays one part of it; undefined where no template is set. */
export function pageUrl(template: string | undefined, ids: PathIds): string | undefined {
	return template?.replace(/\{(\w+)\}/g, (_, name: keyof PathIds) => encodeURIComponent(ids[name] ?? ''));
}
