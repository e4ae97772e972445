import type { Place } from '../../../nodes/Prospector/messages/adviceMessages';
import { describeFailedTest } from '../../../nodes/Prospector/messages/nodeErrors';
import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import type { Failure } from '../../../nodes/Prospector/transport/failure/failure';
import type { ApiRequest } from '../../../nodes/Prospector/transport/request/apiRequest';
import { endpoints } from '../../../nodes/Prospector/transport/request/endpoints';
import { everyFailure, requests as requestsByMethod, singleFailures, status } from '../helpers/everyFailure';

const { GET, 'POST with a key': POST } = requestsByMethod;
const requests: Record<string, ApiRequest> = {
	...requestsByMethod,
	list: { endpoint: endpoints.listWorkflows },
	identity: { endpoint: endpoints.getIdentity },
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
	It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Put a current key into 'API Key' of the credential, then retry
credentialTest | identity | 401
	The API key was not accepted
	It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Paste a current key into 'API Key', then test again
node | after a start | 401
	The API key was not accepted, after run 'run_9' had been started
	It is missing, malformed, revoked or expired; rotating a key revokes the previous one at once. Put a current key into 'API Key' of the credential, then retry. The run goes on. Read it later with Run › Get and its results with Result › Get Many, ID 'run_9'. Or retry this from the executions list, which goes on with the same run. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
node | GET | 403 | { "requestId": "req_7" }
	This API key may not read runs (request req_7)
	It needs the scope 'prospector.read', and the membership that issued it must be allowed to read this. Ask an admin of the workspace for such a key
node | POST with a key | 403
	This API key may not create Prospector workflows
	It needs the scope 'prospector.run', and the membership that issued it must not be read-only. Ask an admin of the workspace for such a key. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
credentialTest | identity | 403 | { "requestId": "req_7" }
	The API key is good, but it lacks the scope 'me.read', so its identity cannot be read (request req_7)
	Or the membership that issued it may not read it. Prospector operations may still work: they need 'prospector.read' and 'prospector.run'. You can save this credential as it is
credentialTest | identity | 403 | { "isHtml": true, "requestId": "req_7" }
	The address refused the request (request req_7)
	Check that 'Base URL' is the address of the Prospector API
node | GET | 404
	The run 'run_1' was not found
	It belongs to another workspace than the API key, or the ID in 'Run' is not that of a run. A run's ID is the 'id' that Workflow › Run and Run › Get Many return
node | PATCH | 404
	The Prospector workflow 'wf_1' was not found
	It was deleted, or it belongs to another workspace than the API key. Pick one in 'Workflow' from the list, or give the 'id' of one that Workflow › Get Many returns, not its name
node | GET | 404 | { "isHtml": true }
	The run 'run_1' was not found
	It belongs to another workspace than the API key, or the ID in 'Run' is not that of a run. A run's ID is the 'id' that Workflow › Run and Run › Get Many return. Or 'Base URL' of the credential is not the address of the Prospector API
node | list | 404
	Nothing was found below 'Base URL' at '/api/public/v1/prospector/workflows'
	Check that 'Base URL' of the credential is the address of the Prospector API
credentialTest | identity | 404
	Nothing was found below 'Base URL' at '/api/public/v1/me'
	Check that 'Base URL' is the address of the Prospector API
node | POST with a key | 409
	The idempotency key 'key-1' was already used with a different payload
	Nothing was done this time. An earlier request with this key carried other values: if it is fine, use what it made; if these values should count, start a new execution or give another key in 'Idempotency Key'
node | POST with a key | 409 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
	The idempotency key 'key-1' was already used with a different payload
	Tried 2 times in 1 s. An earlier request with this key carried other values: if it is fine, use what it made; if these values should count, start a new execution or give another key in 'Idempotency Key'
node | PATCH | 409
	The service reported a conflict with its present state
	Something else may have changed the same thing. Read it again, then retry
node | GET | 429
	The API key's requests for this minute are used up
	Nothing was done. Wait a minute and retry, or let fewer executions use the same API key at a time
node | POST with a key | 429 | { "retryAfter": 7 }
	The API key's requests for this minute are used up
	Nothing was done. Wait 7 s and retry, or let fewer executions use the same API key at a time. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
node | GET | 429 | { "attempts": 2, "elapsedMs": 1000, "outcomeUnknown": true }
	The API key's requests for this minute are used up
	Tried 2 times in 1 s. Wait a minute and retry, or let fewer executions use the same API key at a time
node | GET | 429 | { "attempts": 3, "elapsedMs": 59500, "throttledMs": 61000 }
	The API key's requests for this minute are used up
	Tried 3 times in 1 min 0 s. Nothing was done. Its turn would come in 1 min 1 s at the earliest, which is longer than 'Retry For (Seconds)' under Options allows. Retry later, raise 'Retry For (Seconds)', or let fewer executions use the same API key at a time
poll | list | 429 | { "throttledMs": 61000 }
	The API key's requests for this minute are used up
	Nothing was done
poll | list | 429
	The API key's requests for this minute are used up
	Nothing was done. Let fewer executions use the same API key at a time
credentialTest | identity | 429 | { "throttledMs": 61000 }
	The API key's requests for this minute are used up
	The key itself was accepted
credentialTest | identity | 429
	The API key's requests for this minute are used up
	The key itself was accepted. Wait a minute and test again
node | GET | 302 | { "location": "https://other.example" }
	'Base URL' of the credential leads to a redirect to https://other.example, which is not followed
	Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it
node | PATCH | 399
	'Base URL' of the credential leads to a redirect, which is not followed
	Following it would hand the API key to another address. Put the final address into 'Base URL' if you trust it
node | GET | 304
	The service did not accept the request: status 304
	Check the fields of this node, then retry
node | GET | 400
	The service did not accept the request: status 400
	Check the fields of this node, then retry
node | PATCH | 422 | { "requestId": "req_7", "serverMessage": "name is too long" }
	The service did not accept the request: status 422 (request req_7)
	Check the values in 'Fields' or 'JSON', as the service may expect others. Correct them, then retry. The service said: "name is too long"
poll | list | 422
	The service did not accept the request: status 422
	Check the fields of this node
node | GET | 500 | { "requestId": "req_7" }
	The service had trouble with the request: status 500 (request req_7)
	Nothing was changed, so it is safe to retry
poll | list | 500
	The service had trouble with the request: status 500
	-
credentialTest | identity | 500
	The service had trouble with the request: status 500
	Test again
node | POST with a key | 503
	The service had trouble with the request: status 503
	Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
node | POST without a key | 503
	The service had trouble with the request: status 503
	It is not known whether the service did it, and no idempotency key was sent: look in the workspace before you retry
node | PATCH | 503
	The service had trouble with the request: status 503
	It is not known whether the service did it: look at the Prospector workflow before you retry
node | DELETE | 503 | { "attempts": 4, "elapsedMs": 302000, "outcomeUnknown": true }
	The service had trouble with the request: status 503
	Tried 4 times in 5 min 2 s. It is not known whether the service did it: look at the Prospector workflow before you retry
node | after a start without a key | 503
	The service had trouble with the request: status 503, after run 'run_9' had been started
	The run goes on. Read it later with Run › Get and its results with Result › Get Many, ID 'run_9'. Do not retry this: no idempotency key was sent, so another run would be started
node | GET | connection lost
	The connection ended before the service answered
	It broke off with ECONNRESET. Nothing was changed, so it is safe to retry
node | GET | no connection
	The service could not be reached
	Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then retry
credentialTest | identity | no connection
	The service could not be reached
	Nothing was sent (ECONNREFUSED). Check 'Base URL' of the credential and the network of this n8n, then test again
node | POST with a key | no connection | { "attempts": 4, "elapsedMs": 5000, "outcomeUnknown": true }
	The service could not be reached
	Tried 4 times in 5 s. The last try was not sent (ECONNREFUSED). An earlier try may have been carried out. Check 'Base URL' of the credential and the network of this n8n. Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
node | GET | timeout
	The service did not answer in time
	Nothing was changed, so it is safe to retry. If the service is only slow, raise 'Request Timeout' under the node's Options
credentialTest | identity | timeout
	The service did not answer in time
	Test again. If it stays like this, check 'Base URL'
credentialTest | identity | truncatedResponse
	The service's answer broke off half-way
	Test again. If it stays like this, check 'Base URL'
node | GET | truncatedResponse
	The service's answer broke off half-way
	The connection ended in the middle of the answer (ECONNRESET). Nothing was changed, so it is safe to retry
node | GET | certificate
	No secure connection to the address could be made, so the API key was not sent
	Its TLS certificate was not accepted, or it does not speak HTTPS at all (CERT_HAS_EXPIRED). Check 'Base URL' of the credential, or have the certificate renewed
node | GET | ssrfBlocked
	This n8n does not allow requests to the credential's 'Base URL'
	Its protection against requests to internal addresses is on. Check 'Base URL' of the credential, or ask the person who runs this n8n to allow the address
node | list | tooLarge
	The service's response is larger than 64 MB, so it was not read to its end
	Set 'Page Size' under Options to a smaller number if this is a list. Nothing was changed, so it is safe to retry
node | GET | unexpectedResponse | { "received": "html" }
	The address answered with a web page instead of Prospector data
	Check that 'Base URL' of the credential is the address of the Prospector API and that no login page or proxy stands in front of it. Nothing was changed, so it is safe to retry
credentialTest | identity | unexpectedResponse | { "received": "html" }
	The address answered with a web page instead of Prospector data
	Check that 'Base URL' is the address of the Prospector API and that no login page or proxy stands in front of it. Test again
credentialTest | identity | unexpectedResponse | { "received": "nothing", "requestId": "req_7" }
	The address answered with nothing (request req_7)
	Check that 'Base URL' is the address of the Prospector API
node | list | invalidPagination | { "reason": "missingCursor", "requestId": "req_7" }
	The service says that the list goes on, but not where (request req_7)
	The list would be incomplete, so nothing was returned. Retry; if it happens again, report the request to the service's support
node | list | invalidPagination | { "reason": "cursorLoop", "requestId": "req_7" }
	The list leads back to a page that was already read (request req_7)
	It would never end, so nothing was returned. If the service names its cursor parameter differently, set 'Cursor Parameter' under 'Show Advanced Settings' of the credential
node | list | invalidPagination | { "reason": "endlessEmptyPages", "requestId": "req_7" }
	The list goes on and on with empty pages (request req_7)
	It would never end, so nothing was returned. Retry; if it happens again, report the request to the service's support
node | list | invalidPagination | { "reason": "tooManyPages", "requestId": "req_7" }
	The list goes on after 10,000 pages, so nothing was returned (request req_7)
	It may never end. To read a longer list, turn off 'Return All' and set 'Limit' to as many items as you need, or read it page by page with 'Return One Page' under Options
node | list | invalidPagination | { "reason": "tooManyItems", "requestId": "req_7" }
	The list goes on after 1,000,000 items, so nothing was returned (request req_7)
	It may never end. To read a longer list, turn off 'Return All' and set 'Limit' to as many items as you need, or read it page by page with 'Return One Page' under Options
poll | list | invalidPagination | { "reason": "missingCursor", "requestId": "req_7" }
	The service says that the list goes on, but not where (request req_7)
	The list would be incomplete, so nothing was returned. If it happens again, report the request to the service's support
node | GET | throttled | { "throttledMs": 61000 }
	The API key's requests for this minute are used up, so this one was not sent
	Its turn would come in 1 min 1 s at the earliest, which is longer than 'Retry For (Seconds)' under Options allows. Retry later, raise 'Retry For (Seconds)', or let fewer executions use the same API key at a time
poll | list | throttled
	The API key's requests for this minute are used up, so this one was not sent
	-
node | POST with a key | canceled
	The execution was canceled while a request was under way
	Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice. To repeat it in any other way, set 'Idempotency Key' under Options to 'key-1'
node | GET | canceled | { "beforeSend": true }
	The execution was canceled while a request waited to be sent
	Nothing was done by it
node | POST without a key | canceled | { "beforeSend": true, "outcomeUnknown": true }
	The execution was canceled while a request waited to be sent
	It waited between two tries. An earlier try may have been carried out. It is not known whether the service did it, and no idempotency key was sent: look in the workspace before you retry
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

	test.each(everyFailure)('is the same in a tool as in a node for %j', (failure) => {
		expect(describeFailure(failure, POST, 'tool')).toEqual(describeFailure(failure, POST, 'node'));
		expect(describeFailure(failure, POST)).toEqual(describeFailure(failure, POST, 'node'));
	});

	test.each([
		['nothing', 'nothing'],
		['html', 'a web page'],
		['text', 'plain text'],
		['invalidJson', 'JSON that breaks off or is malformed'],
		['jsonList', 'a JSON list'],
		['jsonValue', 'a JSON value'],
		['missingData', "JSON without 'data' that is an object"],
		['missingRequestId', "JSON without a 'request_id'"],
		['missingHasMore', "a list without 'pagination.has_more'"],
		['missingData', "JSON without 'data' that is a list of objects", requests.list],
	] as const)('names %s', (received, label, request: ApiRequest = GET) => {
		const { message } = describeFailure({ kind: 'unexpectedResponse', received }, request);
		expect(message).toBe(`The address answered with ${label} instead of Prospector data`);
	});

	test.each([
		['getIdentity', 'read its own identity', 'me.read'],
		['getConfig', 'read the prospector configuration', 'prospector.read'],
		['listWorkflows', 'list Prospector workflows', 'prospector.read'],
		['createWorkflow', 'create Prospector workflows', 'prospector.run'],
		['getWorkflow', 'read Prospector workflows', 'prospector.read'],
		['updateWorkflow', 'change Prospector workflows', 'prospector.run'],
		['deleteWorkflow', 'delete Prospector workflows', 'prospector.run'],
		['runWorkflow', 'start runs', 'prospector.run'],
		['listRuns', 'list the runs of a Prospector workflow', 'prospector.read'],
		['getRun', 'read runs', 'prospector.read'],
		['listResults', 'list the results of a run', 'prospector.read'],
	] as const)('names what an API key may not do: %s', (name, purpose, scope) => {
		const { message, description } = describeFailure(status(403), { endpoint: endpoints[name] });
		expect(message).toBe(`This API key may not ${purpose}`);
		expect(description).toContain(`It needs the scope '${scope}'`);
	});

	test.each([
		[0, '0 s'],
		[499, '0 s'],
		[500, '1 s'],
		[59_499, '59 s'],
		[59_500, '1 min 0 s'],
		[61_000, '1 min 1 s'],
		[302_000, '5 min 2 s'],
		[3_600_000, '60 min 0 s'],
	])('names the number of attempts in %i ms', (elapsedMs, duration) => {
		const { description } = describeFailure({ kind: 'timeout', attempts: 2, elapsedMs }, GET);
		expect(description).toMatch(new RegExp(`^Tried 2 times in ${duration}\\. Nothing was changed`));
	});

	test('rounds the time of throttling up to seconds', () => {
		const { description } = describeFailure({ kind: 'throttled', throttledMs: 1001 }, GET);
		expect(description).toContain('come in 2 s at the earliest');
	});

	test.each(everyFailure)('names the idempotency key exactly once after %j', (failure) => {
		const { message, description } = describeFailure(failure, POST);
		expect(`${message} ${description}`.split("'key-1'")).toHaveLength(2);
	});

	test.each(everyFailure)('names the run that was started before %j', (failure) => {
		const { message, description } = describeFailure(failure, requests['after a start']);
		if (failure.kind !== 'canceled') {
			expect(message).toMatch(/, after run 'run_9' had been started( \(request req_77\))?$/);
		}
		expect(description).toContain("Run › Get and its results with Result › Get Many, ID 'run_9'");
		expect(description).not.toMatch(/Nothing was (done|changed)|An earlier try/);
		expect(describeFailure(failure, requests['after a start without a key']).description).toContain(
			"ID 'run_9'. Do not retry this: no idempotency key was sent",
		);
	});
});

/** How the last attempt can end; a list is only read. */
const lastFailures = singleFailures.filter(({ kind }) => kind !== 'invalidPagination');

describe.each([
	['POST with a key', 'Retry it from the executions list, which sends the same idempotency key'],
	['POST without a key', 'no idempotency key was sent: look in the workspace before you retry'],
	['PATCH', 'look at the Prospector workflow before you retry'],
	['DELETE', 'look at the Prospector workflow before you retry'],
])('after a %s that may have been processed', (name, advice) => {
	test.each(lastFailures)('%j says so once, and does not claim that nothing was done', (failure) => {
		const { message, description } = describeFailure(
			{ ...failure, attempts: 4, elapsedMs: 5000, outcomeUnknown: true },
			requests[name],
		);
		expect(`${message} ${description}`).not.toMatch(/nothing (was|has been) (done|sent|changed)/i);
		const isConflict = failure.kind === 'status' && failure.status === 409;
		expect(description.split(advice)).toHaveLength(isConflict ? 1 : 2);
	});
});
