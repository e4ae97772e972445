import type { FastifyRequest } from 'fastify';
import { ControlError } from './errors';

export const MAX_CONTROL_BODY_BYTES = 1_000_000;

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses control requests that a web page may have caused: those from another origin, and those that another host
 * name led here (DNS rebinding). The control API takes no key and hands out the API's keys.
 * @throws ControlError 403, 415
 */
export function checkAccess({ headers, socket }: FastifyRequest['raw']): void {
	const own = OWN_NAMES.map((name) => new URL(`http://${name}:${socket.localPort}`));
	if (!own.some(({ host }) => host === headers.host?.toLowerCase())) {
		const url = `${own[0].origin}/_control`;
		throw new ControlError(403, `Send control requests to ${url}: other host names are refused.`);
	}
	// Browsers send it with every request of a page that changes something.
	if (headers.origin !== undefined && !own.some(({ origin }) => origin === headers.origin)) {
		throw new ControlError(403, 'Call the control API from a program: pages of other origins are refused.');
	}
	const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
	if (hasBody && mediaType(headers['content-type']) !== 'application/json') throw notJson();
}

function mediaType(contentType = ''): string {
	return contentType.split(';', 1)[0].trim().toLowerCase();
}

/** Browsers send other types across origins without asking first, so only this one is read. */
export function notJson(): ControlError {
	const header = 'Content-Type: application/json';
	return new ControlError(415, `Send the body as JSON with the header '${header}' (curl: -H '${header}').`);
}

export function bodyTooLarge(): ControlError {
	const most = MAX_CONTROL_BODY_BYTES.toLocaleString('en');
	return new ControlError(413, `Send at most ${most} bytes at once: split a larger seed into several.`);
}
