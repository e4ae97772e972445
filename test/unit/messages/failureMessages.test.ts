import type { Place } from '../../../nodes/Prospector/messages/adviceMessages';
import { describeFailedTest } from '../../../nodes/Prospector/messages/nodeErrors';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/api/apiRequest';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import { everyFailure, requests as requestsByMethod, singleFailures, status } from '../helpers/everyFailure';

const { GET, 'POST with a key': POST } = requestsByMethod;
const requests: Record<string, ApiRequest> = {
	...requestsByMethod,
	'POST with a key of the user': { ...POST, isUserKey: true },
	list: { endpoint: endpoints.listWorkflows },
	identity: { endpoint: endpoints.getIdentity },
	settings: { endpoint: endpoints.getConfig },
	'after a start': { ...GET, startedRun: { id: 'run_9', idempotencyKey: 'key-1' } },
	'after a start without a key': { ...GET, startedRun: { id: 'run_9' } },
};

const failures: Record<string, object> = {
	'connection lost': { kind: 'network', code: 'ECONNRESET', requestSent: true },
	'no connection': { kind: 'network', code: 'ECONNREFUSED', requestSent: false },
	certificate: { kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
	truncatedResponse: { kind: 'truncatedResponse', code: 'ECONNRESET' },
};

/**
 * Every kind of message, in each place where it differs: `place | request | failure | further fields of it`, the message
 * and its description, which is `-` if it is empty.
 */
const TABLE = `
node | GET | 401 | { "requestId": "req_7" }
	The API key was not accepted (request req_7)
	It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential, then try again
credentialTest | identity | 401
	The API key was not accepted
	It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key', then test again
node | after a start | 401
	Run 'run_9' was started, but then: the API key was not accepted
	It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential. The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
node | after a start without a key | 401
	Run 'run_9' was started, but then: the API key was not accepted
	It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential. The run goes on. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_9'
node | GET | 403 | { "requestId": "req_7" }
	This API key is not allowed to read runs (request req_7)
	It needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key
node | POST with a key | 403
	This API key is not allowed to create Prospector workflows
	It needs the scope 'prospector.run' and must not belong to a read-only member. Ask a workspace admin for such an API key
node | after a start | 403
	Run 'run_9' was started, but then: this API key is not allowed to read runs
	It needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key. The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
credentialTest | settings | 403 | { "requestId": "req_7" }
	The API key is valid, but not allowed to use Prospector (request req_7)
	It needs the scopes 'prospector.read' and 'prospector.run'. Ask a workspace admin for such an API key
credentialTest | settings | 403 | { "isHtml": true, "requestId": "req_7" }
	'Base URL' refused the request (request req_7)
	Check 'Base URL'
node | GET | 404
	Run 'run_1' was not found
	It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns
node | PATCH | 404
	Prospector workflow 'wf_1' was not found
	It was deleted or belongs to another workspace. Pick one from the list in 'Prospector Workflow', or enter its ID, not its name
node | GET | 404 | { "isHtml": true }
	Run 'run_1' was not found
	It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns. Or 'Base URL' in the credential is wrong
node | after a start | 404 | { "requestId": "req_7" }
	Run 'run_9' was started, but then: run 'run_1' was not found (request req_7)
	The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
node | list | 404
	The Prospector API was not found at 'Base URL'
	Check 'Base URL' in the credential
credentialTest | identity | 404
	The Prospector API was not found at 'Base URL'
	Check 'Base URL'
node | POST with a key | 409
An earlier attempt of this execution has used the same idempotency key
The Prospector workflow may have been created by an earlier attempt. Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and make another one only if it is missing
node | POST with a key of the user | 409
Idempotency Key 'key-1' is already in use
A request with other values has used it, or is in progress. This one did nothing. Change 'Idempotency Key' under Options, or use what the first request made
node | POST with a key | 409 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
The service reported a conflict after its first response was lost
Tried 2 times over 1 s. The Prospector workflow may have been created by an earlier attempt. Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and make another one only if it is missing
node | POST with a key of the user | 409 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
The service reported a conflict after its first response was lost
Tried 2 times over 1 s. The Prospector workflow may have been created by an earlier attempt. Wait a minute and use Retry on this execution, which sends the same key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and make another one only if it is missing
node | PATCH | 409
	The service reported a conflict
	Someone else may have changed it. Get it again, then try again
node | GET | 429
	The API key has reached its requests per minute
	Nothing was done. Try again in a minute, or run fewer executions with this API key at the same time
node | POST with a key | 429 | { "retryAfter": 7 }
	The API key has reached its requests per minute
	Nothing was done. Try again in 7 s, or run fewer executions with this API key at the same time
node | POST with a key | 429 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
	The API key has reached its requests per minute
	Tried 2 times over 1 s. It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. Try again in a minute, or run fewer executions with this API key at the same time
node | GET | 429 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
	The API key has reached its requests per minute
	Tried 2 times over 1 s. Try again in a minute, or run fewer executions with this API key at the same time
node | GET | 429 | { "attempts": 3, "elapsedMs": 59500, "throttledMs": 61000 }
	The API key has reached its requests per minute
	Tried 3 times over 1 min. Nothing was done. The next one is free in 1 min 1 s. Raise 'Retry For (Seconds)' under Options, or run fewer executions with this API key at the same time
editor | list | 429 | { "throttledMs": 61000 }
	The API key has reached its requests per minute
	Nothing was done. Try again in 1 min 1 s, or run fewer executions with this API key at the same time
editor | list | 429 | { "retryAfter": 7 }
	The API key has reached its requests per minute
	Nothing was done. Try again in 7 s, or run fewer executions with this API key at the same time
poll | list | 429 | { "throttledMs": 61000 }
	The API key has reached its requests per minute
	Nothing was done
poll | list | 429
	The API key has reached its requests per minute
	Nothing was done. Run fewer executions with this API key at the same time
credentialTest | identity | 429 | { "retryAfter": 7 }
	The API key has reached its requests per minute
	The API key itself was accepted. Test again in a minute
credentialTest | identity | 429
	The API key has reached its requests per minute
	The API key itself was accepted. Test again in a minute
node | GET | 302 | { "location": "https://other.example" }
	'Base URL' leads on to https://other.example
	The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential
node | PATCH | 399
	'Base URL' leads on to another address
	The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential
credentialTest | identity | 301 | { "location": "https://other.example" }
	'Base URL' leads on to https://other.example
	The API key is not sent there. If you trust that address, enter it in 'Base URL'
node | GET | 304
	The service did not accept the request (status 304)
	Check the fields of this node, then try again
node | GET | 400
	The service did not accept the request (status 400)
	Check the fields of this node, then try again
node | DELETE | 400
	The service did not accept the request (status 400)
	Check the fields of this node, then try again
node | PATCH | 422 | { "requestId": "req_7", "serverMessage": "name is too long" }
	The service did not accept the values (status 422, request req_7)
	Correct 'Fields' or 'JSON', then try again. The service said: "name is too long"
poll | list | 422
	The service did not accept the request (status 422)
	Check the fields of this node
credentialTest | identity | 422
	The service did not accept the request (status 422)
	Check 'Base URL', then test again
node | GET | 500 | { "requestId": "req_7" }
	The service answered with status 500 (request req_7)
	Nothing was changed. Try again in a few minutes
editor | list | 500
	The service answered with status 500
	Nothing was changed. Try again in a few minutes
poll | list | 500
	The service answered with status 500
	-
credentialTest | identity | 500
	The service answered with status 500
	Test again in a few minutes
node | POST with a key | 503
	The service answered with status 503
	It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | POST without a key | 503
	The service answered with status 503
	It may have been done. Look in the workspace before you try again
node | PATCH | 503
	The service answered with status 503
	It may have been done. Get the Prospector workflow before you try again
node | DELETE | 503 | { "attempts": 4, "elapsedMs": 302000, "outcomeUnknown": true }
	The service answered with status 503
	Tried 4 times over 5 min 2 s. It may have been done. Get the Prospector workflow before you try again
node | after a start | 503 | { "attempts": 4, "elapsedMs": 302000, "requestId": "req_7" }
	Run 'run_9' was started, but then: the service answered with status 503 (request req_7)
	Tried 4 times over 5 min 2 s. The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
node | after a start without a key | 503
	Run 'run_9' was started, but then: the service answered with status 503
	The run goes on. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_9'
node | GET | connection lost
	The connection broke before the answer arrived (ECONNRESET)
	Nothing was changed. Try again
node | POST with a key | connection lost
	The connection broke before the answer arrived (ECONNRESET)
	It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | POST without a key | connection lost
	The connection broke before the answer arrived (ECONNRESET)
	It may have been done. Look in the workspace before you try again
node | PATCH | connection lost
	The connection broke before the answer arrived (ECONNRESET)
	It may have been done. Get the Prospector workflow before you try again
node | after a start | connection lost
	Run 'run_9' was started, but then: the connection broke before the answer arrived (ECONNRESET)
	The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
node | GET | no connection
	The service could not be reached
	Nothing was sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network, then try again
credentialTest | identity | no connection
	The service could not be reached
	Nothing was sent (ECONNREFUSED). Check 'Base URL' and n8n's network, then test again
node | POST with a key | no connection
	The service could not be reached
	Nothing was sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network, then try again
node | POST with a key | no connection | { "attempts": 4, "elapsedMs": 5000, "outcomeUnknown": true }
	The service could not be reached
	Tried 4 times over 5 s. The last attempt was not sent (ECONNREFUSED). It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. Check 'Base URL' in the credential and n8n's network
node | GET | timeout | { "timeoutMs": 60000 }
	The service did not answer within 1 min
	Nothing was changed. Try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
node | GET | timeout
	The service did not answer in time
	Nothing was changed. Try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
node | POST with a key | timeout | { "timeoutMs": 90000 }
	The service did not answer within 1 min 30 s
	It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
node | DELETE | timeout | { "timeoutMs": 60000 }
	The service did not answer within 1 min
	It may have been done. Get the Prospector workflow before you try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
editor | list | timeout | { "timeoutMs": 20000 }
	The service did not answer within 20 s
	Nothing was changed. Try again
poll | list | timeout | { "timeoutMs": 60000 }
	The service did not answer within 1 min
	If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
credentialTest | identity | timeout | { "timeoutMs": 20000 }
	The service did not answer within 20 s
	Test again. If it stays like this, check 'Base URL'
credentialTest | identity | truncatedResponse
	The connection broke before the answer arrived (ECONNRESET)
	Test again. If it stays like this, check 'Base URL'
node | GET | truncatedResponse
	The connection broke before the answer arrived (ECONNRESET)
	Nothing was changed. Try again
node | PATCH | truncatedResponse
	The connection broke before the answer arrived (ECONNRESET)
	It may have been done. Get the Prospector workflow before you try again
node | GET | certificate
	'Base URL' has no valid certificate
	The API key was not sent (CERT_HAS_EXPIRED). Check 'Base URL' in the credential, or have the certificate renewed
credentialTest | identity | certificate
	'Base URL' has no valid certificate
	The API key was not sent (CERT_HAS_EXPIRED). Check 'Base URL', or have the certificate renewed
node | GET | ssrfBlocked
	n8n blocked the request to 'Base URL'
	This n8n does not allow internal addresses. Ask its admin to allow this one, or change 'Base URL'
node | list | tooLarge
	The response is larger than 32 MB or has too many values, so it was not read to its end
	Set 'Page Size' under Options to a smaller number if this is a list. Nothing was changed. Try again
node | POST with a key | tooLarge
	The response is larger than 32 MB or has too many values, so it was not read to its end
	Set 'Page Size' under Options to a smaller number if this is a list. It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | GET | unexpectedResponse | { "received": "html" }
	'Base URL' answered with a web page, not with Prospector data
	Check the address in the credential. A login page or proxy may be in front of it
node | POST with a key | unexpectedResponse | { "received": "html" }
	'Base URL' answered with a web page, not with Prospector data
	Check the address in the credential. A login page or proxy may be in front of it. It may have been done. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | PATCH | unexpectedResponse | { "received": "invalidJson", "requestId": "req_7" }
	'Base URL' answered with incomplete or malformed JSON, not with Prospector data (request req_7)
	Check the address in the credential. A login page or proxy may be in front of it. It may have been done. Get the Prospector workflow before you try again
credentialTest | identity | unexpectedResponse | { "received": "html" }
	'Base URL' answered with a web page, not with Prospector data
	Check the address. A login page or proxy may be in front of it
credentialTest | identity | unexpectedResponse | { "received": "nothing", "requestId": "req_7" }
	'Base URL' answered with nothing (request req_7)
	Check the address. A login page or proxy may be in front of it
node | list | invalidPagination | { "reason": "missingCursor", "requestId": "req_7" }
	The list ended half-way (request req_7)
	Nothing was returned, as part of it would be missing. Try again, or send the request ID to the service's support
node | list | invalidPagination | { "reason": "rejectedCursor", "requestId": "req_7" }
	The service stopped accepting its own cursor before the list ended (request req_7)
	Nothing was returned. Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again
node | list | invalidPagination | { "reason": "rejectedStartCursor", "requestId": "req_7" }
	The service did not accept 'Start Cursor' (request req_7)
	It may have expired. Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow
node | list | invalidPagination | { "reason": "cursorLoop", "requestId": "req_7" }
	The same page of the list came twice (request req_7)
	Nothing was returned. Check 'Cursor Parameter' in the credential's advanced settings
node | list | invalidPagination | { "reason": "endlessEmptyPages", "requestId": "req_7" }
	The list has only empty pages (request req_7)
	Nothing was returned. Try again, or send the request ID to the service's support
node | list | invalidPagination | { "reason": "tooManyPages", "requestId": "req_7" }
	The list goes on after 10,000 pages (request req_7)
	Nothing was returned, as it may never end. Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options
node | list | invalidPagination | { "reason": "tooManyItems", "requestId": "req_7" }
	The list goes on after 1,000,000 items (request req_7)
	Nothing was returned, as it may never end. Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options
node | after a start | invalidPagination | { "reason": "cursorLoop", "requestId": "req_7" }
	Run 'run_9' was started, but then: the same page of the list came twice (request req_7)
	The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
poll | list | invalidPagination | { "reason": "missingCursor", "requestId": "req_7" }
	The list ended half-way (request req_7)
	Nothing was returned, as part of it would be missing. If it happens again, send the request ID to the service's support
node | GET | throttled | { "throttledMs": 61000 }
	The API key has reached its requests per minute, so this one was not sent
	The next one is free in 1 min 1 s. Raise 'Retry For (Seconds)' under Options, or run fewer executions with this API key at the same time
node | after a start | throttled | { "throttledMs": 61000 }
	Run 'run_9' was started, but then: the API key has reached its requests per minute, so this one was not sent
	The run goes on. Use Retry on this execution to go on with it, or get its results later with Run › Get, ID 'run_9'
editor | list | throttled | { "throttledMs": 61000 }
	The API key has reached its requests per minute, so this one was not sent
	Try again in 1 min 1 s, or run fewer executions with this API key at the same time
poll | list | throttled
	The API key has reached its requests per minute, so this one was not sent
	-
node | POST with a key | canceled
	The execution was canceled while a request was under way
	It may have been done. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | POST without a key | canceled
	The execution was canceled while a request was under way
	It may have been done. Look in the workspace before you try again
node | PATCH | canceled
	The execution was canceled while a request was under way
	It may have been done. Get the Prospector workflow before you try again
node | GET | canceled
	The execution was canceled while a request was under way
	Nothing was changed. Try again
node | GET | canceled | { "beforeSend": true }
	The execution was canceled before the request was sent
	Nothing was done
node | after a start | canceled
	The execution was canceled while a request was under way
	The run goes on. Get its results later with Run › Get, ID 'run_9'
node | after a start without a key | canceled | { "beforeSend": true }
	The execution was canceled before the request was sent
	The run goes on. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_9'
node | POST with a key | canceled | { "beforeSend": true, "outcomeUnknown": true }
	The execution was canceled before the request was sent
	It may have been done. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
node | POST without a key | canceled | { "beforeSend": true, "outcomeUnknown": true }
	The execution was canceled before the request was sent
	It may have been done. Look in the workspace before you try again
`;

const rows = (TABLE.match(/^\S.*\n\t.*\n\t.*$/gm) ?? []).map((row) => {
	const [heading, message, description] = row.split('\n\t');
	const [place, request, name, fields = '{}'] = heading.split(' | ');
	const base = Number(name) > 0 ? status(Number(name)) : (failures[name] ?? { kind: name });
	const failure = { ...base, ...(JSON.parse(fields) as object) } as Failure;
	return { heading, place: place as Place, request: requests[request], failure, message, description };
});

describe('the message of a failure', () => {
	test.each(rows)('$heading', ({ place, request, failure, message, description }) => {
		const shown =
			place === 'credentialTest'
				? describeFailedTest(failure, request)
				: describeFailure(failure, request, place);
		expect(shown).toEqual({ message, description: description === '-' ? '' : description });
	});

	test('is in the table for every kind of failure', () => {
		const kinds = new Set(singleFailures.map(({ kind }) => kind));
		expect(new Set(rows.map(({ failure }) => failure.kind))).toEqual(kinds);
	});

	test.each(everyFailure)('in a tool, which has no Retry button, does not name it for %j', (failure) => {
		const { message, description } = describeFailure(failure, POST, 'node');
		const withoutRetry = description
			.replace(
				'Use Retry on this execution: it does nothing twice. To repeat it elsewhere',
				'To repeat it safely',
			)
			.replace(/Wait a minute and use Retry .* If that does not help, look/, 'Look');
		expect(describeFailure(failure, POST, 'tool')).toEqual({ message, description: withoutRetry });
		expect(describeFailure(failure, POST)).toEqual(describeFailure(failure, POST, 'node'));
	});

	test.each([
		['nothing', 'nothing', GET, ''],
		['html', 'a web page'],
		['text', 'plain text'],
		['invalidJson', 'incomplete or malformed JSON'],
		['jsonList', 'a JSON list'],
		['jsonValue', 'a JSON value'],
		['missingData', "JSON whose 'data' is not an object"],
		['missingRequestId', "JSON without a 'request_id'"],
		['missingHasMore', "a list without 'pagination.has_more'"],
		['missingData', "JSON whose 'data' is not a list of objects", requests.list],
	] as const)(
		'names %s',
		(received, label, request: ApiRequest = GET, end: string = ', not with Prospector data') => {
			const { message } = describeFailure({ kind: 'unexpectedResponse', received }, request);
			expect(message).toBe(`'Base URL' answered with ${label}${end}`);
		},
	);

	test.each([
		['getIdentity', 'read its own identity', 'me.read'],
		['getConfig', 'read the prospecting settings', 'prospector.read'],
		['listWorkflows', 'list Prospector workflows', 'prospector.read'],
		['createWorkflow', 'create Prospector workflows', 'prospector.run'],
		['getWorkflow', 'read Prospector workflows', 'prospector.read'],
		['updateWorkflow', 'update Prospector workflows', 'prospector.run'],
		['deleteWorkflow', 'delete Prospector workflows', 'prospector.run'],
		['runWorkflow', 'start runs', 'prospector.run'],
		['listRuns', 'list the runs of a Prospector workflow', 'prospector.read'],
		['getRun', 'read runs', 'prospector.read'],
		['listResults', 'list the results of a run', 'prospector.read'],
	] as const)('names what an API key is not allowed to do: %s', (name, purpose, scope) => {
		const { message, description } = describeFailure(status(403), { endpoint: endpoints[name] });
		expect(message).toBe(`This API key is not allowed to ${purpose}`);
		const member =
			scope === 'prospector.run' ? 'not belong to a read-only member' : 'belong to a member with access';
		expect(description).toBe(
			`It needs the scope '${scope}' and must ${member}. Ask a workspace admin for such an API key`,
		);
	});

	test.each([
		[0, '0 s'],
		[499, '0 s'],
		[500, '1 s'],
		[59_499, '59 s'],
		[59_500, '1 min'],
		[61_000, '1 min 1 s'],
		[302_000, '5 min 2 s'],
		[3_600_000, '1 h'],
		[3_661_000, '1 h 1 min 1 s'],
	])('names the number of attempts over %i ms', (elapsedMs, duration) => {
		const { description } = describeFailure({ kind: 'timeout', attempts: 2, elapsedMs }, GET);
		expect(description).toMatch(new RegExp(`^Tried 2 times over ${duration}\\. Nothing was changed`));
	});

	test.each([
		[100, '1 s'],
		[1001, '2 s'],
		[60_000, '1 min'],
		[90_000, '1 min 30 s'],
		[3_600_000, '1 h'],
		[undefined, undefined],
	])('names the timeout of %j ms, rounded up to seconds', (timeoutMs, duration) => {
		const { message } = describeFailure({ kind: 'timeout', timeoutMs }, GET);
		expect(message).toBe(`The service did not answer ${duration ? `within ${duration}` : 'in time'}`);
	});

	test('rounds the time of throttling up to seconds', () => {
		const { description } = describeFailure({ kind: 'throttled', throttledMs: 1001 }, GET);
		expect(description).toContain('The next one is free in 2 s.');
	});

	test.each(everyFailure)('names the idempotency key only if the outcome is unknown: %j', (failure) => {
		const { message, description } = describeFailure(failure, POST);
		const isConflict = failure.kind === 'status' && failure.status === 409;
		const isUnknown = (failure.outcomeUnknown && !isConflict) || isOutcomeUnknown(failure);
		expect(`${message} ${description}`.split("'key-1'")).toHaveLength(isUnknown ? 2 : 1);
	});

	test.each(everyFailure)(
		'does not tell the user to enter the key that is entered already: %j',
		(failure) => {
			const ofUser = describeFailure(failure, { ...POST, isUserKey: true });
			const { message, description } = describeFailure(failure, POST);
			const isConflict = failure.kind === 'status' && failure.status === 409;
			if (isConflict && !failure.outcomeUnknown)
				expect(ofUser.message).toMatch(/^Idempotency Key 'key-1' is already in use/);
			else
				expect(ofUser).toEqual({
					message,
					description: description.replace(
						"set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'",
						"use the same 'Idempotency Key'",
					),
				});
		},
	);

	test.each(everyFailure)('names the run that was started before %j', (failure) => {
		const { message, description } = describeFailure(failure, requests['after a start']);
		const withoutKey = describeFailure(failure, requests['after a start without a key']);
		expect(withoutKey.message).toBe(message);
		const later = "et its results later with Run › Get, ID 'run_9'";
		if (failure.kind === 'canceled') {
			expect(message).toMatch(/^The execution was canceled /);
			const noRetry = 'Do not retry, as that starts another one. ';
			expect(description).toMatch(new RegExp(`The run goes on\\. G${later}$`));
			expect(withoutKey.description).toBe(description.replace(`G${later}`, `${noRetry}G${later}`));
		} else {
			expect(message).toMatch(/^Run 'run_9' was started, but then: (?![A-Z])/);
			expect(description).toContain(
				`The run goes on. Use Retry on this execution to go on with it, or g${later}`,
			);
			expect(withoutKey.description).toContain(
				`The run goes on. Do not retry, as that starts another one. G${later}`,
			);
		}
		for (const text of [description, withoutKey.description]) {
			expect(text).not.toMatch(/Nothing was|may have been done|try again|'key-1'/i);
		}
	});

	test.each(everyFailure)('in the editor has no advice about options that it lacks: %j', (failure) => {
		for (const request of [requests.list, GET, requests.identity]) {
			const { description } = describeFailure(failure, request, 'editor');
			expect(description).not.toMatch(/'Retry For|'Request Timeout/);
			expect(description).not.toBe('');
			const inNode = describeFailure(failure, request);
			expect(describeFailure(failure, request, 'editor').message).toBe(inNode.message);
		}
	});
});

/** Whether an attempt to create something may have been processed. */
const isOutcomeUnknown = (failure: Failure) =>
	failure.kind === 'status'
		? failure.status >= 500
		: failure.kind === 'network'
			? failure.requestSent
			: failure.kind === 'canceled'
				? !failure.beforeSend
				: ['timeout', 'truncatedResponse', 'tooLarge', 'unexpectedResponse'].includes(failure.kind);

/** How the last attempt can end; a list is only read. */
const lastFailures = singleFailures.filter(({ kind }) => kind !== 'invalidPagination');

const WITH_KEY =
	"To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'";

describe.each([
	['POST with a key', `Use Retry on this execution: it does nothing twice. ${WITH_KEY}`],
	['POST without a key', 'Look in the workspace before you try again'],
	['PATCH', 'Get the Prospector workflow before you try again'],
	['DELETE', 'Get the Prospector workflow before you try again'],
])('after a %s that may have been processed', (name, usualAdvice) => {
	test.each(lastFailures)('%j says so once, and does not claim that nothing was done', (failure) => {
		const { message, description } = describeFailure(
			{ ...failure, attempts: 4, elapsedMs: 5000, outcomeUnknown: true },
			requests[name],
		);
		expect(`${message} ${description}`).not.toMatch(/nothing (was|has been) (done|sent|changed)/i);
		// n8n offers no Retry for a canceled execution.
		const advice =
			failure.kind === 'canceled'
				? usualAdvice.replace(/^Use Retry .*?twice\. To repeat it elsewhere/, 'To repeat it safely')
				: usualAdvice;
		const isConflict = failure.kind === 'status' && failure.status === 409;
		expect(description.split(`It may have been done. ${advice}`)).toHaveLength(isConflict ? 1 : 2);
		expect(description.split('may have been done')).toHaveLength(isConflict ? 1 : 2);
	});
});
