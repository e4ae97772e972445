import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import type { Caller } from '../../../nodes/Prospector/messages/userMessage';
import { CREDENTIAL_TEST_ENDPOINTS, endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import type { FailedRequest } from '../../../nodes/Prospector/api/failure/requestError';
import { everyFailure, noResponse, requests as byMethod, status } from '../helpers/everyFailure';

const { GET, PATCH, DELETE } = byMethod;
const creation = byMethod['POST with a key'];
const startWithoutKey = byMethod['POST without a key'];
const start = { ...startWithoutKey, idempotencyKey: 'key-1' };
const startedRun = {
	runId: 'run_9',
	start: { requestId: 'req_1', idempotencyKey: 'key-1', isUserKey: false },
};
const startedWithoutKey = { runId: 'run_9', start: { requestId: 'req_1', isUserKey: false } };

/** What fails, and what the operation knows about it. */
const requests: Record<string, Omit<FailedRequest, 'failure'>> = {
	GET: { request: GET },
	PATCH: { request: PATCH },
	DELETE: { request: DELETE },
	creation: { request: creation },
	'creation with an idempotency key of the user': { request: creation, isUserKey: true },
	start: { request: start },
	'start with an idempotency key of the user': { request: start, isUserKey: true },
	'start without an idempotency key': { request: startWithoutKey },
	list: { request: { endpoint: endpoints.listWorkflows } },
	identity: { request: { endpoint: endpoints.getIdentity } },
	'second credential test': { request: { endpoint: CREDENTIAL_TEST_ENDPOINTS[1] } },
	'after a start': { request: GET, startedRun },
	'after the end of a run': { request: GET, startedRun: { ...startedRun, hasFinished: true } },
	'after a start without an idempotency key': { request: GET, startedRun: startedWithoutKey },
};

/** Each failure and its message; below it the description for each caller and for each request where it differs. */
const TABLE = `
401: The API key was not accepted
	node | GET | The API key is mistyped, or it has expired, was revoked or was rotated. Paste a current one into 'API Key' of the credential
401: Run 'run_9' was started, but then: the API key was not accepted
	node | after a start | The API key is mistyped, or it has expired, was revoked or was rotated. Paste a current one into 'API Key' of the credential. The run may still be going. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_9'
403: Run 'run_9' was started, but then: this API key is not allowed to read runs
	tool | after a start | The API key needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key. The run may still be going. Do not retry, as that starts another one. Get its results later with Result › Get Many, run ID 'run_9'
403: This API key is not allowed to create Prospector workflows
	node | creation | The API key needs the scope 'prospector.run' and must not belong to a read-only member. Ask a workspace admin for such an API key
403: This API key is not allowed to update Prospector workflows
	node | PATCH | The API key needs the scope 'prospector.run' and must not belong to a read-only member. Ask a workspace admin for such an API key
403 { "requestId": "req_7" }: The API key is valid, but not allowed to read runs and results (request req_7)
	credentialTest | second credential test | The API key needs the scopes 'prospector.read' and 'prospector.run': with 'prospector.run' alone, it can start runs, but not read them. Ask a workspace admin for such an API key
intermediary { "status": 403, "requestId": "req_7" }: Something in front of the service answered (status 403, request req_7)
	node | GET | This may be a proxy, a firewall or a login page. Nothing was changed. Try again in a few minutes. Check 'Base URL' in the credential, or ask your n8n admin
intermediary { "status": 407 }: Something in front of the service answered (status 407)
	node | start | The run may have been started. Open Executions and press Retry (↪): no second run is started. Execute step would start another run. A proxy asks for a login. Ask your n8n admin to add the login to HTTPS_PROXY
404: Run 'run_1' was not found
	node | GET | The run may be deleted, or belong to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns
	tool | GET | The run may be deleted, or belong to another workspace, or this is not the ID of a run. Call a tool that gets many runs to list the IDs, then use one of them
404: Prospector workflow 'wf_1' was not found
	tool | PATCH | The Prospector workflow may be deleted, or belong to another workspace. Call a tool that gets many Prospector workflows to list the IDs, then use one of them
	poll | PATCH | The Prospector workflow may be deleted, or belong to another workspace. Pick one from the list, or enter its ID, not its name
404: The Prospector API was not found at 'Base URL'
	node | list | Check 'Base URL' in the credential
409: The service reported a conflict
	node | GET | What you asked for may not be ready yet. Try again in a few minutes
	node | PATCH | Get the Prospector workflow, then try again
	node | creation | The Prospector workflow may have been created, perhaps with other values. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and try again only if it is missing, with Once per Key and a new 'Idempotency Key'
	tool | start | The run may have been started. Look for the run with Run › Get Many, and try again only if it is missing
	node | start without an idempotency key | The same run may have been started already. Look for it with Run › Get Many before you try again
409: Idempotency Key 'key-1' is already in use
	node | creation with an idempotency key of the user | A request with other values has used it, or a request with it is in progress. Change 'Idempotency Key' under Options, or use what the first request made
409 { "attempts": 2, "elapsedMs": 1000, "hasUnknownEarlierAttempt": true }: The service reported a conflict after an attempt whose outcome is unknown
	node | creation with an idempotency key of the user | Tried 2 times over 1 s. The Prospector workflow may have been created. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and try again only if it is missing
429: The API key has reached its limit of requests
	poll | list | This request was not carried out. Run fewer executions with this API key at the same time
	credentialTest | identity | The API key was not tested. Try again in a minute, or run fewer executions with this API key at the same time
429 { "attempts": 2, "elapsedMs": 1000, "hasUnknownEarlierAttempt": true }: The API key has reached its limit of requests
	node | creation | Tried 2 times over 1 s. The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. Execute step would create another Prospector workflow. Try again in a minute, or run fewer executions with this API key at the same time
429 { "attempts": 3, "elapsedMs": 59500, "retryAfterMs": 61000 }: The API key has reached its limit of requests
	node | GET | Tried 3 times over 1 min. This request was not carried out. The next request can be sent in 1 min 1 s. Set 'Retry For (Seconds)' under Options to more than 121, or run fewer executions with this API key at the same time
429 { "retryAfterMs": 3120000, "retryAtMs": 1798052670000 }: Run 'run_9' was started, but then: the API key has reached its limit of requests
	node | after a start | The next request can be sent at 14:05 (in 52 min). The run may still be going. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_9'
302 { "redirectTarget": "https://other.example", "isSameResource": true }: 'Base URL' redirects to https://other.example
	node | GET | The API key was not sent there. If you trust that address, enter it in 'Base URL' of the credential
302 { "redirectTarget": "/en/api/public/v1/prospector/runs/run_1", "isSameResource": true }: 'Base URL' redirects to '/en/api/public/v1/prospector/runs/run_1'
	node | GET | The API key was not sent there. Check 'Base URL' in the credential, or ask the service's support why its API redirects
intermediary { "status": 302, "redirectTarget": "https://sso.example" }: 'Base URL' redirects to https://sso.example
	credentialTest | identity | The API key was not sent there. This may be a proxy, a firewall or a login page. Check 'Base URL' in the credential, or ask your n8n admin
408: The service answered with status 408
	node | start | The run may have been started. Open Executions and press Retry (↪): no second run is started. Execute step would start another run
304: The service answered with status 304
	node | PATCH | The change may have taken effect. Get the Prospector workflow before you try again
400: The service did not accept the request (status 400)
	node | GET | Check the fields of this node
422 { "requestId": "req_7", "serverMessage": "name is too long" }: The service did not accept the values (status 422, request req_7)
	node | PATCH | Correct the values in this node. The service said: "name is too long"
413: The service did not accept the values (status 413)
	node | PATCH | Correct the values in this node
402 { "serverMessage": "Quota is used up" }: The service did not accept the request (status 402)
	node | creation | The service said: "Quota is used up"
422: The service did not accept the request (status 422)
	credentialTest | identity | Check 'Base URL' in the credential
503 { "retryAfterMs": 601000, "retryAtMs": 1798052670000 }: The service answered with status 503
	node | GET | The next request can be sent at 14:05 (in 11 min). Open Executions and press Retry (↪) then
	credentialTest | identity | Try again at 14:05 (in 11 min)
	poll | list | -
503: The service answered with status 503
	nodeWithoutRetry | start | The run may have been started. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
	tool | start | The run may have been started. Before you try again, look for it with Run › Get Many
	tool | start with an idempotency key of the user | The run may have been started. To repeat it safely, use the same 'Idempotency Key'
	node | start with an idempotency key of the user | The run may have been started. Open Executions and press Retry (↪): no second run is started. To repeat it elsewhere, use the same 'Idempotency Key'
500 { "requestId": "req_7" }: Run 'run_9' was started, but then: the service answered with status 500 (request req_7)
	node | after the end of a run | The run has finished. Open Executions and press Retry (↪): no second run is started. Or get its results later with Result › Get Many, run ID 'run_9'
unreachable { "missingHost": "app.example.com" }: There is no server called app.example.com
	node | start without an idempotency key | Nothing was sent. Check 'Base URL' for a typing mistake
unreachable { "attempts": 4, "elapsedMs": 5000, "hasUnknownEarlierAttempt": true }: The service could not be reached
	node | creation | Tried 4 times over 5 s. The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. Execute step would create another Prospector workflow. The last attempt was not sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network
timeout { "timeoutMs": 60000, "isRequestTimeout": true }: The service did not answer within 1 min
	poll | list | If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
timeout: The service did not answer in time
	node | GET | Nothing was changed. Try again
timeout { "timeoutMs": 20000 }: The service did not answer within 20 s
	editor | list | Try again
	tool | list | Nothing was changed. Try again
	credentialTest | identity | Try again. If this continues, check 'Base URL' in the credential
connectionLost: The connection was lost before the response arrived (ECONNRESET)
	credentialTest | identity | Try again. If this continues, check 'Base URL' in the credential
certificate: n8n does not trust the certificate of 'Base URL'
	node | GET | Nothing was sent (CERT_HAS_EXPIRED). The certificate has expired. Ask the owner of the address to renew it
tls: The TLS connection failed before the response arrived (EPROTO)
	credentialTest | identity | Try again. This port of the server may not use TLS, use only an old version of it, or ask for a client certificate. Check 'Base URL'
	node | start | The run may have been started. Open Executions and press Retry (↪): no second run is started. Execute step would start another run. This port of the server may not use TLS, use only an old version of it, or ask for a client certificate. Check 'Base URL'
tls { "code": "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }: The TLS connection failed before the response arrived (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)
	node | PATCH | The change may have taken effect. Get the Prospector workflow before you try again. The service seems to ask for a client certificate, which this credential does not have. Ask for an address that works without one
certificate { "code": "ERR_TLS_CERT_ALTNAME_INVALID" }: n8n does not trust the certificate of 'Base URL'
	node | GET | Nothing was sent (ERR_TLS_CERT_ALTNAME_INVALID). The certificate is for another host name. Check 'Base URL' in the credential
certificate { "code": "SELF_SIGNED_CERT_IN_CHAIN" }: n8n does not trust the certificate of 'Base URL'
	credentialTest | identity | Nothing was sent (SELF_SIGNED_CERT_IN_CHAIN). If the certificate comes from an authority of your company, ask your n8n admin to set NODE_EXTRA_CA_CERTS. Otherwise, check 'Base URL' in the credential
other { "code": "UNKNOWN" }: No complete response arrived
	poll | list | -
other { "code": "HPE_INVALID_CONSTANT" }: No complete response arrived (HPE_INVALID_CONSTANT)
	node | GET | Nothing was changed. Try again. The response is not HTTP. Check whether 'Base URL' has the right port, and begins with https://
ssrfBlocked: n8n blocked the request to 'Base URL'
	node | GET | The SSRF protection of this n8n does not allow this address. Ask your n8n admin to add it to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES, or change 'Base URL'
tooLarge { "limit": 1048576 }: The response is larger than 1 MB, so it was not read to its end
	editor | list | Enter the ID by hand, or the fields as JSON
	node | GET | Get it with the HTTP Request node, or make it smaller in the workspace
tooLarge { "limit": "items" }: The response contains a list of more than 200,000 items, so it was not read to its end
	poll | list | Set 'Page Size' under Options to a smaller number
tooLarge { "limit": "value" }: The response contains a text or object of more than 1 MB, so it was not read to its end
	node | list | Get it with the HTTP Request node, or make it smaller in the workspace
unexpectedResponse { "bodyFlaw": "invalidJson", "requestId": "req_7" }: The server at 'Base URL' answered with incomplete or malformed JSON, not with Prospector data (request req_7)
	node | PATCH | The change may have taken effect. Get the Prospector workflow before you try again
unexpectedResponse { "bodyFlaw": "missingData", "requestId": "req_7", "serverMessage": "Run is archived" }: The server at 'Base URL' answered with JSON without the expected 'data', not with Prospector data (request req_7)
	node | GET | The service said: "Run is archived"
unexpectedResponse { "bodyFlaw": "text" }: The server at 'Base URL' answered with plain text, not with Prospector data
	node | GET | Check 'Base URL' in the credential
unexpectedResponse { "bodyFlaw": "missingRequestId" }: The server at 'Base URL' answered with JSON without a 'request_id', not with Prospector data
	node | GET | Check 'Base URL' in the credential
unexpectedResponse { "bodyFlaw": "missingHasMore" }: The server at 'Base URL' answered with a list without 'pagination.has_more', not with Prospector data
	node | list | Check 'Base URL' in the credential
unexpectedResponse { "bodyFlaw": "nothing", "requestId": "req_7" }: The server at 'Base URL' answered with an empty response, not with Prospector data (request req_7)
	credentialTest | identity | Check 'Base URL' in the credential
invalidPagination { "reason": "missingCursor", "requestId": "req_7" }: The list ended half-way (request req_7)
	node | list | Nothing was returned, as part of it would be missing. If it happens again, send the request ID to the service's support
invalidPagination { "reason": "rejectedCursor", "requestId": "req_7" }: The service refused the next page of the list (request req_7)
	node | list | Nothing was returned. The cursor may have expired. Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again
invalidPagination { "reason": "rejectedStartCursor", "requestId": "req_7" }: The service did not accept 'Start Cursor' (request req_7)
	node | list | It may have expired. Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow
invalidPagination { "reason": "rejectedCursor", "requestId": "req_7" }: The rest of the list could not be loaded (request req_7)
	editor | list | Search for the name. Or enter the ID by hand, or the fields as JSON
invalidPagination { "reason": "cursorLoop", "requestId": "req_7" }: A page's cursor leads back to a page that was read before (request req_7)
	node | list | Nothing was returned. Check 'Cursor Parameter' in the credential's advanced settings
invalidPagination { "reason": "repeatedPage", "requestId": "req_7" }: Three pages in a row begin and end with the same items (request req_7)
	node | list | Nothing was returned. Check 'Cursor Parameter' in the credential's advanced settings
invalidPagination { "reason": "endlessEmptyPages", "requestId": "req_7" }: 100 pages of the list in a row are empty (request req_7)
	node | list | Nothing was returned. If it happens again, send the request ID to the service's support
invalidPagination { "reason": "noNewItems", "requestId": "req_7" }: 100 pages of the list in a row have no new item (request req_7)
	node | list | Nothing was returned. Check 'Cursor Parameter' in the credential's advanced settings
invalidPagination { "reason": "tooLong", "requestId": "req_7" }: The list has more than 10,000 pages or 1,000,000 items (request req_7)
	node | list | Nothing was returned, as it may never end. Turn off 'Return All', 'Status' and 'Sort' and set 'Limit', or read the list with 'Return One Page' under Options
429 { "isScopedRejection": true, "requestId": "req_7" }: The service refuses this request as one too many (status 429), but accepts others with this API key (request req_7)
	node | GET | This request was not carried out. Try again later. If this continues, ask the service's support
throttled { "isOutOfTime": true }: The time for an answer is over, so this request was not sent
	tool | list | Try again without 'Status' and 'Sort', or set 'Page Size' to a larger number
	tool | GET | Nothing was changed. Try again
throttled { "retryAfterMs": 3120000, "retryAtMs": 1798052670000 }: The API key has reached its limit of requests, or the service is unavailable, so this request was not sent
	nodeWithoutRetry | GET | The next request can be sent at 14:05 (in 52 min). Run it again then
	poll | list | Run fewer executions with this API key at the same time
throttled { "retryAfterMs": 108000000, "retryAtMs": 1798052670000 }: The API key has reached its limit of requests, or the service is unavailable, so this request was not sent
	node | GET | The next request can be sent on 23 Dec, 14:05 (in 30 h). Open Executions and press Retry (↪) then
throttled { "retryAfterMs": 864000000000000, "retryAtMs": 864000000000000000 }: The API key has reached its limit of requests, or the service is unavailable, so this request was not sent
	tool | GET | Try again in 240000000 h
canceled { "wasRequestSent": true }: The execution was canceled while a request was under way
	node | creation | The Prospector workflow may have been created. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
canceled { "wasRequestSent": false }: The execution was canceled before the request was sent
	node | GET | Nothing was done
canceled { "wasRequestSent": false, "hasUnknownEarlierAttempt": true }: The execution was canceled before the request was sent
	node | creation | The Prospector workflow may have been created. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
`;

const rows = TABLE.trim()
	.split(/\n(?=\S)/)
	.flatMap((group) => {
		const [heading, ...descriptions] = group.split('\n\t');
		const [, name, fields = '{}', message] = /^([\w ]+?)(?: (\{.*\}))?: (.*)$/.exec(heading) ?? [];
		const base =
			Number(name) > 0
				? status(Number(name))
				: ((noResponse as Record<string, Failure>)[name] ?? { kind: name });
		const failure = { ...base, ...(JSON.parse(fields) as object) } as Failure;
		return descriptions.map((line) => {
			const [caller, request, description] = line.split(' | ');
			const title = `the failure ${name} ${fields} of the request "${request}" to the caller "${caller}"`;
			return { title, caller: caller as Caller, request, failure, message, description };
		});
	});

const describeAs = (failure: Failure, request: string, caller: Caller = 'node') =>
	describeFailure({ ...requests[request], failure }, caller, (text) => text, 'America/New_York');

test.each(rows)('describeFailure explains $title', ({ caller, request, failure, message, description }) => {
	expect(describeAs(failure, request, caller)).toEqual({
		message,
		description: description === '-' ? '' : description,
	});
});

const RETRY = 'Open Executions and press Retry (↪)';
describe.each(everyFailure)('the message for the failure %j', (failure) => {
	const isConflict = failure.kind === 'status' && failure.status === 409;

	test('the message mentions Retry and Executions only for a node whose execution n8n offers to retry', () => {
		const { message, description } = describeAs(failure, 'creation');
		const withoutRetry = description
			.replace(
				/Open Executions and press Retry \(↪\): no .* another Prospector workflow/,
				"To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'",
			)
			.replace(/Wait a minute\. Then open .* If that does not help, look(.*), with Once.*/, 'Look$1');
		expect(describeAs(failure, 'creation', 'nodeWithoutRetry')).toEqual({
			message,
			description: withoutRetry,
		});
		expect(describeAs(failure, 'creation', 'tool').description).not.toMatch(/Executions|Retry|'key-1'/);
	});

	test('the message names the run and suggests no second start if the run was started before the failure', () => {
		const { message, description } = describeAs(failure, 'after a start');
		const withoutKey = describeAs(failure, 'after a start without an idempotency key');
		const isCanceled = failure.kind === 'canceled';
		expect(message).toMatch(
			isCanceled ? /^The execution was canceled / : /^Run 'run_9' was started, but then: (?![A-Z])/,
		);
		expect(withoutKey.message).toBe(message);
		const later = "et its results later with Result › Get Many, run ID 'run_9'";
		const retry = isCanceled ? 'G' : `${RETRY}: no second run is started. Or g`;
		expect(description).toContain(`The run may still be going. ${retry}${later}`);
		expect(withoutKey.description).toContain(
			`The run may still be going. Do not retry, as that starts another one. G${later}`,
		);
		for (const text of [description, withoutKey.description]) {
			expect(text).not.toMatch(/Nothing was|may have |try again|'key-1'/i);
		}
	});

	test.each([
		[
			'creation',
			`The Prospector workflow may have been created. ${RETRY}: no second Prospector workflow is created. `,
		],
		['start', `The run may have been started. ${RETRY}: no second run is started. `],
		[
			'start without an idempotency key',
			'The run may have been started. Before you try again, look for it with Run › Get Many',
		],
		['PATCH', 'The change may have taken effect. Get the Prospector workflow before you try again'],
		['DELETE', 'The change may have taken effect. Get the Prospector workflow before you try again'],
	])(
		'the message says exactly once that the %s may have taken effect if an earlier response was lost',
		(request, expected) => {
			if (failure.kind === 'invalidPagination' || isConflict) return;
			const { message, description } = describeAs({ ...failure, hasUnknownEarlierAttempt: true }, request);
			// n8n offers no Retry for a canceled execution.
			const advice =
				failure.kind === 'canceled'
					? expected.replace(/Open Executions .*/, "To repeat it safely, set 'Prevent Duplicates'")
					: expected;
			expect(description.split(advice)).toHaveLength(2);
			expect(description.split(' may have ')).toHaveLength(2);
			expect(`${message} ${description}`).not.toMatch(/nothing was (done|sent|changed)/i);
		},
	);
});
