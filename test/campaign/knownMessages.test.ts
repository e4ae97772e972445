import { isRateLimited, keyIn, messageName } from './knownMessages';

const LOST = 'The connection ended before the service answered';
const ADVICE = "It broke off with ECONNRESET. To repeat it, set 'Idempotency Key' under Options to 'n8n-0a'.";

test.each([
	['connection ended', LOST],
	['connection ended', `${LOST} [Item 0]`],
	['connection ended', `${LOST}, after run 'run_0a' had been started (request req_00ff) [Item 3]. ${ADVICE}`],
	['status 503', `The service had trouble with the request: status 503 (request req_00ff). ${ADVICE}`],
	['stopped', "The execution was canceled while waiting for run 'run_0a'"],
])('recognizes %s: %s', (name, message) => {
	expect(messageName(message)).toBe(name);
});

test.each([
	'',
	'socket hang up',
	'The service did not answer in time, or so',
	'The service did not answer in time undefined',
	"Something. The API key's requests for this minute are used up",
	'The service had trouble with the request: status 501',
	'The API key was not accepted',
	"The Prospector workflow 'wf_1' was not found",
	"The idempotency key 'a' was already used with a different payload",
	'The service did not accept the request: status 422',
	"'Base URL' of the credential leads to a redirect to https://elsewhere.example/?key=1, which is not followed",
])('does not recognize %j', (message) => expect(messageName(message)).toBeUndefined());

test('recognizes a throttled request as rate limited', () => {
	const message = "The API key's requests for this minute are used up, so this one was not sent [Item 1]";
	expect(isRateLimited(message)).toBe(true);
	expect(isRateLimited(LOST)).toBe(false);
});

test('reads the key to repeat an item with from its message', () => {
	expect(keyIn(`${LOST}. ${ADVICE}`)).toBe('n8n-0a');
	expect(keyIn(LOST)).toBeUndefined();
});
