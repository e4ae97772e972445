import type { Failure } from './failure';
import { toPlainText } from './plainText';
import type { Redact } from './redactSecrets';

/** More of the service's own text than a person reads. */
const MAX_SERVER_TEXT_LENGTH = 300;

/** Returns the failure with every text of the service as {@link toPlainText} returns it. */
export function redactFailure(failure: Failure, redact: Redact): Failure {
	const plain = (text: string) => toPlainText(text, redact, MAX_SERVER_TEXT_LENGTH);
	switch (failure.kind) {
		case 'status': {
			const { requestId, serverMessage, location } = failure;
			return {
				...failure,
				...(requestId !== undefined && { requestId: plain(requestId) }),
				...(serverMessage !== undefined && { serverMessage: plain(serverMessage) }),
				...(location !== undefined && { location: plain(location) }),
			};
		}
		case 'unexpectedResponse':
		case 'invalidPagination': {
			const { requestId } = failure;
			return requestId === undefined ? failure : { ...failure, requestId: plain(requestId) };
		}
		default:
			return failure;
	}
}
