import type { Validated } from '../../messages/userMessage';
import { API_PREFIX } from '../../transport/request/endpoints';

const BASE_URL_ADVICE =
	"Put the address of your workspace into 'Base URL' of the credential, e.g. https://app.example.com";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Makes the address that paths are appended to from what a person pasted: with or without a trailing slash, the
 * API's own prefix, or a whole endpoint address.
 *
 * @param text what stands in 'Base URL' of the credential
 * @param allowHttp whether plain `http` is accepted for hosts other than this machine
 */
export function normalizeBaseUrl(text: unknown, allowHttp: boolean): Validated<string> {
	if (typeof text !== 'string' || text.trim() === '') {
		return { message: "The credential has no 'Base URL'", description: BASE_URL_ADVICE };
	}
	let url: URL;
	try {
		url = new URL(text.trim());
	} catch {
		return { message: "'Base URL' of the credential is not a web address", description: BASE_URL_ADVICE };
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { message: "'Base URL' of the credential must start with https://", description: BASE_URL_ADVICE };
	}
	if (url.username !== '' || url.password !== '') {
		return {
			message: "'Base URL' of the credential must not hold a user name or password",
			description: "Remove everything up to the @. The key goes into 'API Key'",
		};
	}
	if (url.search !== '' || url.hash !== '') {
		return {
			message: "'Base URL' of the credential must end before any ? or #",
			description: BASE_URL_ADVICE,
		};
	}
	if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
		return {
			message: "'Base URL' of the credential uses http://, which would send the API key unencrypted",
			description:
				"Use https://. If the address is inside your own network, turn on 'Allow Unencrypted HTTP' under 'Show Advanced Settings' of the credential",
		};
	}
	const [path] = `${url.pathname}/`.split(`${API_PREFIX}/`);
	return { value: url.origin + withoutTrailingSlashes(path) };
}

/** A loop, because a regular expression takes quadratic time on many slashes in the middle. */
function withoutTrailingSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}
