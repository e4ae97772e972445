import { API_PREFIX } from '../../transport/request/endpoints';
import { invalid } from '../parse';

const BASE_URL_ADVICE =
	"Put the address of your workspace into 'Base URL' of the credential, e.g. https://app.example.com";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the address that paths are appended to. Users paste it with or without a trailing slash, the API's prefix, or
 * as the address of an endpoint.
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
	const [path] = `${url.pathname}/`.split(`${API_PREFIX}/`);
	return url.origin + withoutTrailingSlashes(path);
}

/** A regular expression would take quadratic time on many slashes in the middle. */
function withoutTrailingSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}
