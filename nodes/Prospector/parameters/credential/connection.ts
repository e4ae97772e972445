import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { normalizeBaseUrl } from './baseUrl';
import { isInvalid, type Validated } from '../../messages/userMessage';
import { createRedactor, type Redact } from '../../transport/failure/redactSecrets';
import { parsePageUrls, type PageUrls } from './pageUrls';
import { toText } from '../../transport/values';

export const CREDENTIAL = 'prospectorApi';

/** Everything a credential settles about talking to the service. */
export interface Connection {
	/** Scheme, host and an optional path, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** Removes the API key from a text. */
	redact: Redact;
	/** Query parameter that carries a cursor; the contract does not show its name. */
	cursorParameter: string;
	/** Query parameter that carries a page size; the contract does not show its name. */
	pageSizeParameter: string;
	/** Where a person can look at workflows and runs; none by default. */
	pageUrls: PageUrls;
}

/** Our choices for what the contract does not show (section 4, gaps). */
export const DEFAULT_CURSOR_PARAMETER = 'cursor';
export const DEFAULT_PAGE_SIZE_PARAMETER = 'limit';

/**
 * Checks a credential's data and gives the connection it describes.
 *
 * @param credential decrypted data of a `prospectorApi` credential
 */
export function parseConnection(credential: ICredentialDataDecryptedObject): Validated<Connection> {
	const advanced = credential.showAdvanced === true;
	const baseUrl = normalizeBaseUrl(credential.baseUrl, advanced && credential.allowHttp === true);
	if (isInvalid(baseUrl)) return baseUrl;
	const apiKey = checkApiKey(credential.apiKey);
	if (isInvalid(apiKey)) return apiKey;
	const setting = (name: 'cursorParameter' | 'pageSizeParameter', otherwise: string) =>
		(advanced && toText(credential[name]).trim()) || otherwise;
	return {
		value: {
			baseUrl: baseUrl.value,
			apiKey: apiKey.value,
			redact: createRedactor(apiKey.value),
			cursorParameter: setting('cursorParameter', DEFAULT_CURSOR_PARAMETER),
			pageSizeParameter: setting('pageSizeParameter', DEFAULT_PAGE_SIZE_PARAMETER),
			pageUrls: parsePageUrls(credential),
		},
	};
}

/** More would not fit into a header of every server. */
const MAX_KEY_LENGTH = 2048;

function checkApiKey(text: unknown): Validated<string> {
	const key = typeof text === 'string' ? text.trim() : '';
	if (key === '') {
		return {
			message: "The credential has no 'API Key'",
			description: "Paste the key that your workspace issued into 'API Key' of the credential",
		};
	}
	if (key.length > MAX_KEY_LENGTH) {
		return {
			message: `'API Key' of the credential has ${key.length} characters, which is too long for a key`,
			description: "Paste the key alone, without the word 'Bearer' and without quotation marks",
		};
	}
	// A header cannot carry other characters: the request would end in an unexplained exception.
	if (!/^[\x21-\x7e]+$/.test(key) || /^["'`]|["'`]$/.test(key)) {
		return {
			message:
				"'API Key' of the credential holds spaces, quotation marks, line breaks or characters that no key has",
			description: "Paste the key alone, without the word 'Bearer' and without quotation marks",
		};
	}
	return { value: key };
}
