import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { retryLine } from '../../messages/nodeErrors';
import { registerApiKey } from '../../messages/redact';
import { invalid } from '../../messages/userMessage';
import type { Dependencies } from '../../transport/dependencies';
import type { Connection } from '../../api/apiRequest';
import type { Client, RequestSettings } from '../../transport/request/client';
import { API_PREFIX } from '../../api/endpoints';
import { n8nClient, type N8nContext } from '../../transport/request/n8nClient';
import { toText } from '../../utils';
import { isEmpty } from '../parameter';
import { MAX_URL_LENGTH } from './pageUrls';
import { seconds } from '../parse';

/** @throws UserError when the credential can't be used */
export function parseConnection(credential: ICredentialDataDecryptedObject): Connection {
	const advanced: ICredentialDataDecryptedObject = credential.showAdvanced === true ? credential : {};
	const baseUrl = parseBaseUrl(credential.baseUrl, advanced.allowHttp === true);
	const apiKey = parseApiKey(credential.apiKey);
	return {
		baseUrl,
		apiKey,
		// The contract does not show these names (section 4).
		cursorParameter: toText(advanced.cursorParameter).trim() || 'cursor',
		pageSizeParameter: toText(advanced.pageSizeParameter).trim() || 'limit',
		timeout: parseTimeout(advanced.requestTimeout),
	};
}

const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 3600;

/** @returns milliseconds @throws UserError */
function parseTimeout(value: unknown): number {
	const given = isEmpty(value) ? DEFAULT_TIMEOUT_SECONDS : value;
	return seconds(1, MAX_TIMEOUT_SECONDS)(given, 'Request Timeout (Seconds)');
}

/** Some servers reject longer headers. */
const MAX_KEY_LENGTH = 2048;

function parseApiKey(text: unknown): string {
	const key = typeof text === 'string' ? text.trim() : '';
	const advice = 'Paste only the API key, without the word Bearer';
	if (key === '') invalid("'API Key' is empty", 'Paste the API key of your workspace into the credential');
	if (key.length > MAX_KEY_LENGTH) {
		invalid(`'API Key' has ${key.length} characters, which is too many`, advice);
	}
	// A header can't contain other characters.
	if (!/^[\x21-\x7e]+$/.test(key) || /^["'`]|["'`]$/.test(key)) {
		invalid("'API Key' has a space, quotation mark or line break in it", advice);
	}
	return key;
}

/** Returns a client that logs its retries. @throws UserError when the credential can't be used */
export function openClient(
	context: N8nContext,
	credential: ICredentialDataDecryptedObject,
	settings: RequestSettings,
	dependencies: Dependencies,
): Client {
	const connection = parseConnection(credential);
	registerApiKey(context, connection.apiKey);
	return n8nClient(context, credential, {
		...settings,
		connection,
		dependencies,
		onRetry: (failed, delayMs) => context.logger?.warn(retryLine(context, failed, delayMs)),
	});
}

const BASE_URL_ADVICE = 'Enter only the address, e.g. https://app.example.com';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the address that paths are appended to. Users also paste a trailing slash, the prefix or an endpoint.
 *
 * @param allowHttp whether to accept plain `http` for hosts other than this machine
 * @throws UserError
 */
export function parseBaseUrl(text: unknown, allowHttp: boolean): string {
	if (typeof text !== 'string' || text.trim() === '') {
		return invalid("'Base URL' is empty", BASE_URL_ADVICE);
	}
	if (text.length > MAX_URL_LENGTH || !URL.canParse(text.trim())) {
		invalid("'Base URL' is not a web address", BASE_URL_ADVICE);
	}
	const url = new URL(text.trim());
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		invalid("'Base URL' does not start with https://", BASE_URL_ADVICE);
	}
	if (url.username !== '' || url.password !== '') {
		invalid(
			"'Base URL' has a user name or password in it",
			"Remove everything up to the @. The API key belongs in 'API Key'",
		);
	}
	if (url.search !== '' || url.hash !== '') {
		invalid("'Base URL' has a ? or # in it", BASE_URL_ADVICE);
	}
	if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
		invalid(
			"'Base URL' starts with http://",
			"Use https://, or turn on 'Allow Unencrypted HTTP' in the advanced settings if the service is in your own network",
		);
	}
	let [path] = `${url.pathname}/`.split(`${API_PREFIX}/`);
	// A regular expression would take quadratic time on many slashes in the middle.
	while (path.endsWith('/')) path = path.slice(0, -1);
	return url.origin + path;
}
