import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { retryLine } from '../../messages/nodeErrors';
import { invalid } from '../../messages/userMessage';
import type { Dependencies } from '../../transport/dependencies';
import { createRedactor } from '../../transport/failure/redactSecrets';
import type { Connection } from '../../transport/request/apiRequest';
import type { Client, RequestSettings } from '../../transport/request/client';
import { API_PREFIX } from '../../transport/request/endpoints';
import { n8nClient, type N8nContext } from '../../transport/request/n8nClient';
import { toText } from '../../utils';

/** @throws UserError when the credential can't be used */
export function parseConnection(credential: ICredentialDataDecryptedObject): Connection {
	const advanced: ICredentialDataDecryptedObject = credential.showAdvanced === true ? credential : {};
	const baseUrl = parseBaseUrl(credential.baseUrl, advanced.allowHttp === true);
	const apiKey = parseApiKey(credential.apiKey);
	return {
		baseUrl,
		apiKey,
		redact: createRedactor(apiKey),
		// The contract does not show these names (section 4).
		cursorParameter: toText(advanced.cursorParameter).trim() || 'cursor',
		pageSizeParameter: toText(advanced.pageSizeParameter).trim() || 'limit',
	};
}

/** Some servers reject longer headers. */
const MAX_KEY_LENGTH = 2048;

function parseApiKey(text: unknown): string {
	const key = typeof text === 'string' ? text.trim() : '';
	const advice = "Paste the key alone, without the word 'Bearer' and without quotation marks";
	if (key === '') {
		invalid(
			"The credential has no 'API Key'",
			"Paste the key that your workspace issued into 'API Key' of the credential",
		);
	}
	if (key.length > MAX_KEY_LENGTH) {
		invalid(`'API Key' of the credential has ${key.length} characters, which is too long for a key`, advice);
	}
	// A header can't contain other characters.
	if (!/^[\x21-\x7e]+$/.test(key) || /^["'`]|["'`]$/.test(key)) {
		invalid(
			"'API Key' of the credential holds spaces, quotation marks, line breaks or characters that no key has",
			advice,
		);
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
	const { name } = context.getNode();
	return n8nClient(context, credential, {
		...settings,
		connection: parseConnection(credential),
		dependencies,
		onRetry: (failed, delayMs) => context.logger?.warn(`${name}: ${retryLine(failed, delayMs)}`),
	});
}

const BASE_URL_ADVICE =
	"Put the address of your workspace into 'Base URL' of the credential, e.g. https://app.example.com";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the address that paths are appended to. Users also paste a trailing slash, the prefix or an endpoint.
 *
 * @param allowHttp whether to accept plain `http` for hosts other than this machine
 * @throws UserError
 */
export function parseBaseUrl(text: unknown, allowHttp: boolean): string {
	if (typeof text !== 'string' || text.trim() === '') {
		return invalid("The credential has no 'Base URL'", BASE_URL_ADVICE);
	}
	if (!URL.canParse(text.trim())) {
		invalid("'Base URL' of the credential is not a web address", BASE_URL_ADVICE);
	}
	const url = new URL(text.trim());
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		invalid("'Base URL' of the credential must start with https://", BASE_URL_ADVICE);
	}
	if (url.username !== '' || url.password !== '') {
		invalid(
			"'Base URL' of the credential must not hold a user name or password",
			"Remove everything up to the @. The key goes into 'API Key'",
		);
	}
	if (url.search !== '' || url.hash !== '') {
		invalid("'Base URL' of the credential must end before any ? or #", BASE_URL_ADVICE);
	}
	if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
		invalid(
			"'Base URL' of the credential uses http://, which would send the API key unencrypted",
			"Use https://. If the address is inside your own network, turn on 'Allow Unencrypted HTTP' under 'Show Advanced Settings' of the credential",
		);
	}
	let [path] = `${url.pathname}/`.split(`${API_PREFIX}/`);
	// A regular expression would take quadratic time on many slashes in the middle.
	while (path.endsWith('/')) path = path.slice(0, -1);
	return url.origin + path;
}
