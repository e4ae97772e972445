// Reads the credential. Called before each client is opened; the API key is never sent to an invalid address, and to an
// unencrypted one only on this machine or if the credential allows it.
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Connection } from '../api/apiRequest';
import { API_PREFIX } from '../api/endpoints';
import { throwUserError } from '../messages/userMessage';
import { toText } from '../utils';
import { isBlank } from './parameter';
import { seconds } from './parse';

const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 3600;

/** @throws UserError when the credential can't be used */
export function parseConnection(credential: ICredentialDataDecryptedObject): Connection {
	const advancedSettings: ICredentialDataDecryptedObject = credential.showAdvanced === true ? credential : {};
	const { requestTimeout } = advancedSettings;
	const baseUrl = parseBaseUrl(credential.baseUrl, advancedSettings.allowHttp === true);
	const apiKey = parseApiKey(credential.apiKey);
	return {
		baseUrl,
		apiKey,
		// The contract does not show these names (section 4).
		cursorParameter: toText(advancedSettings.cursorParameter).trim() || 'cursor',
		pageSizeParameter: toText(advancedSettings.pageSizeParameter).trim() || 'limit',
		timeoutMs: seconds(1, MAX_TIMEOUT_SECONDS).parse(
			isBlank(requestTimeout) ? DEFAULT_TIMEOUT_SECONDS : requestTimeout,
			'Request Timeout (Seconds)',
		),
	};
}

function parseApiKey(text: unknown): string {
	const key = typeof text === 'string' ? text.trim() : '';
	if (key === '')
		throwUserError("'API Key' is empty", 'Paste the API key of your workspace into the credential');
	// A header can't contain other characters, and some servers reject longer ones.
	if (!/^[\x21-\x7e]{1,2048}$/.test(key) || /^["'`]|["'`]$/.test(key)) {
		throwUserError(
			"'API Key' has a space, line break or special character in it, or is too long",
			'Paste only the API key, without the word Bearer',
		);
	}
	return key;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the origin of the service, to which the paths of requests are appended (contract, section 5.1). `https://` may be
 * missing, and a path of the API may follow.
 */
function parseBaseUrl(value: unknown, allowHttp: boolean): string {
	const rejectBaseUrl = (flaw: string, advice = 'Enter only the address, e.g. https://app.example.com') =>
		throwUserError(`'Base URL' ${flaw}`, advice);
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') rejectBaseUrl('is empty');
	// In `host:8080`, what is before the colon is no scheme.
	const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
		rejectBaseUrl('is not a web address with https://');
	const { origin, protocol, hostname, pathname, username, password, search, hash } = new URL(address);
	const isApiPath = `${pathname}/`.startsWith(`${API_PREFIX}/`) || /^\/+$/.test(pathname);
	if (!isApiPath || username + password + search + hash !== '')
		rejectBaseUrl('has more in it than the address', `Enter only ${origin}`);
	if (protocol === 'http:' && !allowHttp && !LOOPBACK_HOST.test(hostname)) {
		rejectBaseUrl(
			'starts with http://',
			"Use https://, or turn on 'Allow Unencrypted HTTP' in the advanced settings if the service is in your own network",
		);
	}
	return origin;
}
