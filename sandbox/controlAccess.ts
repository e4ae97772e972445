import type { FastifyRequest } from 'fastify';
import { ControlError } from './errors';

export const MAX_CONTROL_BODY_BYTES = 1_000_000;

const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Rejects control requests that a web page may have sent: requests from another origin, and requests to another host
 * name (DNS rebinding). The control API needs no key and returns the API keys.
 * @throws ControlError 403, 415
 */
export function checkAccess({ headers, socket }: FastifyRequest['raw']): void {
	const origins = LOCAL_HOSTS.map((name) => new URL(`http://${name}:${socket.localPort}`));
	if (!origins.some(({ host }) => host === headers.host?.toLowerCase())) {
		const url = `${origins[0].origin}/_control`;
		throw new ControlError(403, `Send control requests to ${url}: other host names are rejected.`);
	}
	// Browsers send Origin with every request of a page that can change something.
	if (headers.origin !== undefined && !origins.some(({ origin }) => origin === headers.origin)) {
		throw new ControlError(403, 'Call the control API from a program: pages of other origins are rejected.');
	}
	const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
	if (hasBody && mediaType(headers['content-type']) !== 'application/json') throw unsupportedMediaType();
}

function mediaType(contentType = ''): string {
	return contentType.split(';', 1)[0].trim().toLowerCase();
}

/** Browsers send other media types to other origins without a preflight request, so only JSON is accepted. */
export function unsupportedMediaType(): ControlError {
	const header = 'Content-Type: application/json';
	return new ControlError(415, `Send the body as JSON with the header '${header}' (curl: -H '${header}').`);
}

export function bodyTooLarge(): ControlError {
	const max = MAX_CONTROL_BODY_BYTES.toLocaleString('en');
	return new ControlError(413, `Send at most ${max} bytes per request: split a larger seed into several.`);
}
