import { describeFailure } from '../../../nodes/Prospector/messages/failureMessages';
import type { Caller } from '../../../nodes/Prospector/messages/userMessage';
import { endpoints } from '../../../nodes/Prospector/api/endpoints';
import type { Failure } from '../../../nodes/Prospector/api/failure/failure';
import type { FailedRequest } from '../../../nodes/Prospector/api/failure/requestError';
import { everyFailure, requests as byMethod, status } from '../helpers/everyFailure';

const { GET, PATCH, DELETE } = byMethod;
const creation = byMethod['POST with a key'];
const startWithoutKey = byMethod['POST without a key'];
const start = { ...startWithoutKey, idempotencyKey: 'key-1' };

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
	settings: { request: { endpoint: endpoints.getConfig } },
	'after a start': { request: GET, startedRun: { id: 'run_9', idempotencyKey: 'key-1' } },
	'after a start without an idempotency key': { request: GET, startedRun: { id: 'run_9' } },
};

const failures: Record<string, object> = {
	'connection lost': { kind: 'network', code: 'ECONNRESET', wasRequestSent: true },
	'no connection': { kind: 'network', code: 'ECONNREFUSED', wasRequestSent: false },
	certificate: { kind: 'certificate', code: 'CERT_HAS_EXPIRED' },
	'plain HTTP': { kind: 'certificate', code: 'EPROTO' },
};

/** Each failure and its message; below it the description for each caller and for each request where it differs. */
const TABLE = `
401: The API key was not accepted
	node | GET | It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential
	credentialTest | identity | It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential
401: Run 'run_9' was started, but then: the API key was not accepted
	node | after a start | It is mistyped, expired or revoked (also by rotating it). Paste a current one into 'API Key' of the credential. The run continues. Open Executions and press Retry (↪): no second run is started. Or get its results later with Run › Get, ID 'run_9'
403: This API key is not allowed to read runs
	node | GET | It needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key
403: Run 'run_9' was started, but then: this API key is not allowed to read runs
	tool | after a start | It needs the scope 'prospector.read' and must belong to a member with access. Ask a workspace admin for such an API key. The run continues. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_9'
403: This API key is not allowed to create Prospector workflows
	node | creation | It needs the scope 'prospector.run' and must not belong to a read-only member. Ask a workspace admin for such an API key
403 { "requestId": "req_7" }: The API key is valid, but not allowed to read runs and results (request req_7)
	credentialTest | settings | It needs the scopes 'prospector.read' and 'prospector.run': with 'prospector.run' alone, it can start runs, but not read them. Ask a workspace admin for such an API key
403 { "isHtml": true, "requestId": "req_7" }: 'Base URL' refused the request (request req_7)
	credentialTest | settings | Check 'Base URL' in the credential
404: Run 'run_1' was not found
	node | GET | It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns
	tool | GET | It belongs to another workspace, or this is not the ID of a run. Call a tool that gets many runs to list the IDs, then use one of them
404: Prospector workflow 'wf_1' was not found
	node | PATCH | It was deleted or belongs to another workspace. Pick one from the list, or enter its ID, not its name
	tool | PATCH | It was deleted or belongs to another workspace. Call a tool that gets many Prospector workflows to list the IDs, then use one of them
	poll | PATCH | It was deleted or belongs to another workspace. Pick one from the list, or enter its ID, not its name
404 { "isHtml": true }: Prospector workflow 'wf_1' was not found
	node | DELETE | It was deleted or belongs to another workspace. Pick one from the list, or enter its ID, not its name. If no ID is found, check 'Base URL' in the credential
	poll | DELETE | It was deleted or belongs to another workspace. Pick one from the list, or enter its ID, not its name. If no ID is found, check 'Base URL' in the credential
404 { "isHtml": true }: Run 'run_1' was not found
	node | GET | It belongs to another workspace, or this is not the ID of a run. Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns. If no ID is found, check 'Base URL' in the credential
404: The Prospector API was not found at 'Base URL'
	node | list | Check 'Base URL' in the credential
	credentialTest | identity | Check 'Base URL' in the credential
409: An earlier attempt of this execution has used the same idempotency key
	node | creation | The Prospector workflow may have been created. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and try again only if it is missing
	node | start | The run may have been started. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the run with Run › Get Many, and try again only if it is missing
	nodeWithoutRetry | start | The run may have been started. Look for the run with Run › Get Many, and try again only if it is missing
	tool | start | The run may have been started. Look for the run with Run › Get Many, and try again only if it is missing
409: Idempotency Key 'key-1' is already in use
	node | creation with an idempotency key of the user | A request with other values has used it, or is in progress. This one did nothing. Change 'Idempotency Key' under Options, or use what the first request made
409 { "attempts": 2, "elapsedMs": 1000, "hasUnknownOutcome": true }: The service reported a conflict after its first response was lost
	node | creation | Tried 2 times over 1 s. The Prospector workflow may have been created. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and try again only if it is missing
	node | creation with an idempotency key of the user | Tried 2 times over 1 s. The Prospector workflow may have been created. Wait a minute. Then open Executions and press Retry (↪), which sends the same idempotency key again. If that does not help, look for the Prospector workflow with Workflow › Get Many, and try again only if it is missing
409: The service reported a conflict
	node | PATCH | Someone else may have changed it. Get it again, then try again
429: The API key has reached its limit of requests per minute
	node | GET | Nothing was done. Try again in a minute, or run fewer executions with this API key at the same time
	poll | list | Nothing was done. Run fewer executions with this API key at the same time
	credentialTest | identity | The API key itself was accepted. Try again in a minute, or run fewer executions with this API key at the same time
429 { "retryAfterMs": 7000 }: The API key has reached its limit of requests per minute
	node | creation | Nothing was done. The next request can be sent in 7 s. Set 'Retry For (Seconds)' under Options to more than 7, or run fewer executions with this API key at the same time
	editor | list | Nothing was done. Try again in 7 s, or run fewer executions with this API key at the same time
429 { "retryAfterMs": 0 }: The API key has reached its limit of requests per minute
	node | GET | Nothing was done. Try again in a minute, or run fewer executions with this API key at the same time
429 { "attempts": 2, "elapsedMs": 1000, "hasUnknownOutcome": true }: The API key has reached its limit of requests per minute
	node | creation | Tried 2 times over 1 s. The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. Try again in a minute, or run fewer executions with this API key at the same time
	node | GET | Tried 2 times over 1 s. Try again in a minute, or run fewer executions with this API key at the same time
429 { "attempts": 3, "elapsedMs": 59500, "permittedAfterMs": 61000 }: The API key has reached its limit of requests per minute
	node | GET | Tried 3 times over 1 min. Nothing was done. The next request can be sent in 1 min 1 s. Set 'Retry For (Seconds)' under Options to more than 121, or run fewer executions with this API key at the same time
429 { "retryAfterMs": 7000, "permittedAfterMs": 61000 }: The API key has reached its limit of requests per minute
	tool | list | Nothing was done. Try again in 1 min 1 s, or run fewer executions with this API key at the same time
	editor | list | Nothing was done. Try again in 1 min 1 s, or run fewer executions with this API key at the same time
	poll | list | Nothing was done. Run fewer executions with this API key at the same time
302 { "redirectOrigin": "https://other.example" }: 'Base URL' redirects to https://other.example
	node | GET | The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential
	node | start | The run may have been started. Open Executions and press Retry (↪): no second run is started. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential
399: 'Base URL' redirects to another address
	credentialTest | identity | The API key is not sent there. If you trust that address, enter it in 'Base URL' of the credential
304: The service answered with status 304
	node | GET | Nothing was changed. Try again in a few minutes
	node | PATCH | It may have taken effect. Get the Prospector workflow before you try again
400: The service did not accept the request (status 400)
	node | GET | Check the fields of this node
422 { "requestId": "req_7", "serverMessage": "name is too long" }: The service did not accept the values (status 422, request req_7)
	node | PATCH | Correct 'Fields' or 'JSON'. The service said: "name is too long"
422 { "serverMessage": "422 Unprocessable Entity." }: The service did not accept the request (status 422)
	poll | list | Check the fields of this node
	credentialTest | identity | Check 'Base URL' in the credential
500: The service answered with status 500
	node | GET | Nothing was changed. Try again in a few minutes
	editor | list | Nothing was changed. Try again in a few minutes
	poll | list | -
	credentialTest | identity | Nothing was changed. Try again in a few minutes
503: The service answered with status 503
	node | creation | The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
	node | start | The run may have been started. Open Executions and press Retry (↪): no second run is started. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
	nodeWithoutRetry | start | The run may have been started. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
	tool | start with an idempotency key of the user | The run may have been started. To repeat it safely, use the same 'Idempotency Key'
	tool | start | The run may have been started. Before you try again, look for it with Run › Get Many
	node | start with an idempotency key of the user | The run may have been started. Open Executions and press Retry (↪): no second run is started. To repeat it elsewhere, use the same 'Idempotency Key'
503 { "attempts": 4, "elapsedMs": 302000, "hasUnknownOutcome": true }: The service answered with status 503
	node | DELETE | Tried 4 times over 5 min 2 s. It may have taken effect. Get the Prospector workflow before you try again
503 { "serverMessage": "Error: Service Unavailable" }: Run 'run_9' was started, but then: the service answered with status 503
	nodeWithoutRetry | after a start | The run continues. Get its results later with Run › Get, ID 'run_9'
	tool | after a start | The run continues. Do not retry, as that starts another one. Get its results later with Run › Get, ID 'run_9'
422 { "attempts": 2, "elapsedMs": 1000, "serverMessage": "Too early" }: Run 'run_9' was started, but then: the service did not accept the request (status 422)
	node | after a start | Tried 2 times over 1 s. The run continues. Open Executions and press Retry (↪): no second run is started. Or get its results later with Run › Get, ID 'run_9'. The service said: "Too early"
no connection: The service could not be reached
	node | GET | Nothing was sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network
	credentialTest | identity | Nothing was sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network
no connection { "attempts": 4, "elapsedMs": 5000, "hasUnknownOutcome": true }: The service could not be reached
	node | creation | Tried 4 times over 5 s. The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. The last attempt was not sent (ECONNREFUSED). Check 'Base URL' in the credential and n8n's network
timeout { "timeoutMs": 60000 }: The service did not answer within 1 min
	node | GET | Nothing was changed. Try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
	poll | list | If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
timeout: The service did not answer in time
	node | GET | Nothing was changed. Try again. If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings
timeout { "timeoutMs": 20000 }: The service did not answer within 20 s
	editor | list | Nothing was changed. Try again
	credentialTest | identity | Nothing was changed. Try again. If it stays like this, check 'Base URL' in the credential
connection lost: The connection was lost before the response arrived (ECONNRESET)
	credentialTest | identity | Nothing was changed. Try again. If it stays like this, check 'Base URL' in the credential
	node | GET | Nothing was changed. Try again
certificate: 'Base URL' has no valid certificate
	node | GET | The API key was not sent (CERT_HAS_EXPIRED). Check 'Base URL' in the credential, or have the certificate renewed
	credentialTest | identity | The API key was not sent (CERT_HAS_EXPIRED). Check 'Base URL' in the credential, or have the certificate renewed
plain HTTP: 'Base URL' did not answer with HTTPS
	node | GET | The API key was not sent (EPROTO). Check the port, or whether the address begins with http://
ssrfBlocked: n8n blocked the request to 'Base URL'
	node | GET | The SSRF protection of this n8n does not allow this address. Ask your n8n admin to add it to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES, or change 'Base URL'
tooLarge: The response is larger than 32 MB or has too many values, so it was not read to its end
	node | list | Set 'Page Size' under Options to a smaller number if this is a list
	node | creation | The Prospector workflow may have been created. Open Executions and press Retry (↪): no second Prospector workflow is created. To repeat it elsewhere, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'. Set 'Page Size' under Options to a smaller number if this is a list
unexpectedResponse { "bodyFlaw": "html" }: 'Base URL' answered with a web page, not with Prospector data
	node | GET | Check 'Base URL' in the credential. A login page or proxy may be in front of it
	credentialTest | identity | Check 'Base URL' in the credential. A login page or proxy may be in front of it
unexpectedResponse { "bodyFlaw": "invalidJson", "requestId": "req_7" }: 'Base URL' answered with incomplete or malformed JSON, not with Prospector data (request req_7)
	node | PATCH | It may have taken effect. Get the Prospector workflow before you try again. Check 'Base URL' in the credential. A login page or proxy may be in front of it
unexpectedResponse { "bodyFlaw": "nothing", "requestId": "req_7" }: 'Base URL' answered with an empty response, not with Prospector data (request req_7)
	credentialTest | identity | Check 'Base URL' in the credential. A login page or proxy may be in front of it
invalidPagination { "reason": "missingCursor", "requestId": "req_7" }: The list ended half-way (request req_7)
	node | list | Nothing was returned, as part of it would be missing. If it happens again, send the request ID to the service's support
	poll | list | Nothing was returned, as part of it would be missing. If it happens again, send the request ID to the service's support
invalidPagination { "reason": "rejectedCursor", "requestId": "req_7" }: The service stopped accepting its own cursor before the list ended (request req_7)
	node | list | Nothing was returned. Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again
invalidPagination { "reason": "rejectedStartCursor", "requestId": "req_7" }: The service did not accept 'Start Cursor' (request req_7)
	node | list | It may have expired. Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow
invalidPagination { "reason": "rejectedCursor", "requestId": "req_7" }: The rest of the list could not be loaded (request req_7)
	editor | list | Search for the name, or enter the ID
invalidPagination { "reason": "rejectedStartCursor", "requestId": "req_7" }: The rest of the list could not be loaded (request req_7)
	editor | list | Search for the name, or enter the ID
invalidPagination { "reason": "cursorLoop", "requestId": "req_7" }: The same page of the list came twice (request req_7)
	node | list | Nothing was returned. Check 'Cursor Parameter' in the credential's advanced settings
invalidPagination { "reason": "endlessEmptyPages", "requestId": "req_7" }: The list has only empty pages (request req_7)
	node | list | Nothing was returned. If it happens again, send the request ID to the service's support
invalidPagination { "reason": "tooLong", "requestId": "req_7" }: The list has more than 10,000 pages or 1,000,000 items (request req_7)
	node | list | Nothing was returned, as it may never end. Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options
throttled { "permittedAfterMs": 61000 }: The API key has reached its limit of requests per minute, so this request was not sent
	node | GET | The next request can be sent in 1 min 1 s. Set 'Retry For (Seconds)' under Options to more than 61, or run fewer executions with this API key at the same time
	editor | list | Try again in 1 min 1 s, or run fewer executions with this API key at the same time
throttled: The API key has reached its limit of requests per minute, so this request was not sent
	poll | list | Run fewer executions with this API key at the same time
canceled { "wasRequestSent": true }: The execution was canceled while a request was under way
	node | creation | The Prospector workflow may have been created. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
	node | GET | Nothing was changed. Try again
canceled { "wasRequestSent": false }: The execution was canceled before the request was sent
	node | GET | Nothing was done
canceled { "wasRequestSent": false, "hasUnknownOutcome": true }: The execution was canceled before the request was sent
	node | creation | The Prospector workflow may have been created. To repeat it safely, set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'
`;

const rows = TABLE.trim()
	.split(/\n(?=\S)/)
	.flatMap((group) => {
		const [heading, ...descriptions] = group.split('\n\t');
		const [, name, fields = '{}', message] = /^([\w ]+?)(?: (\{.*\}))?: (.*)$/.exec(heading) ?? [];
		const base = Number(name) > 0 ? status(Number(name)) : (failures[name] ?? { kind: name });
		const failure = { ...base, ...(JSON.parse(fields) as object) } as Failure;
		return descriptions.map((line) => {
			const [caller, request, description] = line.split(' | ');
			const title = `the failure ${name} ${fields} of the request "${request}" to the caller "${caller}"`;
			return { title, caller: caller as Caller, request, failure, message, description };
		});
	});

const describeAs = (failure: Failure, request: string, caller: Caller = 'node') =>
	describeFailure({ ...requests[request], failure }, caller, (text) => text);

test.each(rows)('describeFailure explains $title', ({ caller, request, failure, message, description }) => {
	expect(describeAs(failure, request, caller)).toEqual({
		message,
		description: description === '-' ? '' : description,
	});
});

test.each([
	['text', 'GET', 'plain text'],
	['missingData', 'GET', "JSON without the expected 'data'"],
	['missingRequestId', 'GET', "JSON without a 'request_id'"],
	['missingHasMore', 'list', "a list without 'pagination.has_more'"],
] as const)(
	'the message describes the response type %s of a %s request as %s',
	(bodyFlaw, request, label) => {
		const { message } = describeAs({ kind: 'unexpectedResponse', bodyFlaw }, request);
		expect(message).toBe(`'Base URL' answered with ${label}, not with Prospector data`);
	},
);

test('the message after a 403 response says what the API key is not allowed to do, and names the scope', () => {
	const texts = Object.values(endpoints).map((endpoint) => {
		const failed = { failure: status(403), request: { endpoint } };
		const { message, description } = describeFailure(failed, 'node', (text) => text);
		return `${message.replace('This API key is not allowed to ', '')}: ${/'(.+)'/.exec(description)?.[1]}`;
	});
	expect(texts).toEqual([
		'read its own identity: me.read',
		'read the prospecting settings: prospector.read',
		'list Prospector workflows: prospector.read',
		'create Prospector workflows: prospector.run',
		'read Prospector workflows: prospector.read',
		'update Prospector workflows: prospector.run',
		'delete Prospector workflows: prospector.run',
		'start runs: prospector.run',
		'list the runs of a Prospector workflow: prospector.read',
		'read runs: prospector.read',
		'list the results of a run: prospector.read',
	]);
});

test('the message quotes no text of the service that only repeats the meaning of a status', () => {
	const phrases =
		'bad request,unauthorized,forbidden,not found,method not allowed,conflict,gone,unprocessable content,too many requests,internal server error,bad gateway,service unavailable,gateway timeout,error';
	const quotes = (serverMessage: string) =>
		/said/.test(describeAs(status(400, { serverMessage }), 'GET').description);
	expect(phrases.split(',').filter(quotes)).toEqual([]);
	expect(quotes('Conflict with wf_1')).toBe(true);
});

const RETRY = 'Open Executions and press Retry (↪)';
describe.each(everyFailure)('the message for the failure %j', (failure) => {
	const isConflict = failure.kind === 'status' && failure.status === 409;

	test('the message mentions Retry and Executions only for a node whose execution n8n offers to retry', () => {
		const { message, description } = describeAs(failure, 'creation');
		const withoutRetry = description
			.replace(/Open Executions and press Retry \(↪\): no .* To repeat it elsewhere/, 'To repeat it safely')
			.replace(/Wait a minute\. Then open .* If that does not help, look/, 'Look');
		expect(describeAs(failure, 'creation', 'nodeWithoutRetry')).toEqual({
			message,
			description: withoutRetry,
		});
		expect(describeAs(failure, 'creation', 'tool').description).not.toMatch(/Executions|Retry|'key-1'/);
	});

	test('the message does not tell the user to enter an idempotency key that the user has already entered', () => {
		if (isConflict && !failure.hasUnknownOutcome) return;
		const { message, description } = describeAs(failure, 'creation');
		const enterKey = "set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to 'key-1'";
		expect(describeAs(failure, 'creation with an idempotency key of the user')).toEqual({
			message,
			description: description.replace(enterKey, "use the same 'Idempotency Key'"),
		});
	});

	test('the message names the run and suggests no second start if the run was started before the failure', () => {
		const { message, description } = describeAs(failure, 'after a start');
		const withoutKey = describeAs(failure, 'after a start without an idempotency key');
		const isCanceled = failure.kind === 'canceled';
		expect(message).toMatch(
			isCanceled ? /^The execution was canceled / : /^Run 'run_9' was started, but then: (?![A-Z])/,
		);
		expect(withoutKey.message).toBe(message);
		const later = "et its results later with Run › Get, ID 'run_9'";
		const retry = isCanceled ? 'G' : `${RETRY}: no second run is started. Or g`;
		expect(description).toContain(`The run continues. ${retry}${later}`);
		expect(withoutKey.description).toContain(
			`The run continues. Do not retry, as that starts another one. G${later}`,
		);
		for (const text of [description, withoutKey.description]) {
			expect(text).not.toMatch(/Nothing was|may have |try again|'key-1'/i);
		}
	});

	test('the message suggests neither Retry For nor Request Timeout if a list in the editor fails to load', () => {
		for (const request of ['list', 'GET', 'identity']) {
			const { message, description } = describeAs(failure, request, 'editor');
			expect(description).toMatch(/^(?!.*'(Retry For|Request Timeout))./);
			expect(message).toBe(describeAs(failure, request).message);
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
		['PATCH', 'It may have taken effect. Get the Prospector workflow before you try again'],
		['DELETE', 'It may have taken effect. Get the Prospector workflow before you try again'],
	])(
		'the message says exactly once that the %s may have taken effect if an earlier response was lost',
		(request, expected) => {
			if (failure.kind === 'invalidPagination' || isConflict) return;
			const { message, description } = describeAs({ ...failure, hasUnknownOutcome: true }, request);
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
