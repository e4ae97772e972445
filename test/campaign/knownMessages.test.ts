import { isRateLimited, keyIn, messageName } from './knownMessages';

const LOST = 'The connection was lost before the response arrived (ECONNRESET)';
const ADVICE =
	"The run may have been started. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'n8n-0a'.";

test.each([
	['connection broke', LOST],
	['connection broke', `${LOST} [Item 0]`],
	['connection broke', `Run 'run_0a' was started, but then: t${LOST.slice(1)} [Item 3]. The run continues.`],
	['redirect', "Run 'run_0a' was started, but then: 'Base URL' redirects to https://elsewhere.example"],
	['timeout', 'The service did not answer within 4 s'],
	['status 503', `The service answered with status 503 (request req_00ff). ${ADVICE}`],
	['stopped', "The execution was canceled while waiting for run 'run_0a'"],
	['stopped', 'The execution was canceled before the request was sent'],
])('recognizes %s: %s', (name, message) => {
	expect(messageName(message)).toBe(name);
});

test.each([
	'',
	'socket hang up',
	'The service did not answer in time, or so',
	'The service did not answer within undefined',
	'Something. The API key has reached its limit of requests per minute',
	'The service answered with status 501',
	'The API key was not accepted',
	"Prospector workflow 'wf_1' was not found",
	"Idempotency Key 'a' is already in use",
	'An earlier attempt of this execution has used the same idempotency key',
	'The service did not accept the values (status 422)',
	"'Base URL' redirects to https://elsewhere.example/?key=1",
	"Run 'run_0a' was started, but then: The service answered with status 503",
])('does not recognize %j', (message) => expect(messageName(message)).toBeUndefined());

test('recognizes a throttled request as rate limited', () => {
	const message = 'The API key has reached its limit of requests per minute, so this request was not sent [Item 1]';
	expect(isRateLimited(message)).toBe(true);
	expect(isRateLimited(LOST)).toBe(false);
});

test('reads the key to repeat an item with from its message', () => {
	expect(keyIn(`${LOST}. ${ADVICE}`)).toBe('n8n-0a');
	expect(keyIn(LOST)).toBeUndefined();
});
