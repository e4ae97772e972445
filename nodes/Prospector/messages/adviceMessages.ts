import type { Advice } from '../api/failure/advice';
import type { StartedRun } from '../api/apiRequest';
import { lowerFirst, upperFirst } from '../utils';
import { formatDuration } from './userMessage';

/** Where a message appears; `editor` includes tests and activations of the trigger. */
export type Place = 'node' | 'tool' | 'editor' | 'poll' | 'credentialTest';

/** Advice that makes no sense in a place, which has no executions to retry or lacks the options. */
const LEFT_OUT: Partial<Record<Place, Array<Advice['do']>>> = {
	poll: ['retry', 'retrySafely', 'raiseRetryFor'],
	editor: ['raiseTimeout'],
	credentialTest: ['raiseRetryFor', 'raiseTimeout'],
};

/** Returns the advice as sentences without full stops. */
export function adviceSentences(advice: Advice[], place: Place): string[] {
	const sentences: string[] = [];
	const again = place === 'credentialTest' ? 'test again' : 'try again';
	for (const one of advice.filter(({ do: action }) => !LEFT_OUT[place]?.includes(action))) {
		// "Check the fields of this node, then try again"
		if (one.do === 'retry') sentences.push(`${sentences.pop()}, then ${again}`);
		else sentences.push(sentenceFor(one, place));
	}
	return sentences;
}

/** Says how to go on with a run. @param canRetry whether n8n offers its Retry button */
export function continueRun({ id, idempotencyKey }: StartedRun, canRetry = true): string {
	const later = `Get its results later with Run › Get, ID '${id}'`;
	if (idempotencyKey === undefined) {
		return `The run goes on. Do not retry, as that starts another one. ${later}`;
	}
	return canRetry
		? `The run goes on. Use Retry on this execution to go on with it, or ${lowerFirst(later)}`
		: `The run goes on. ${later}`;
}

const FEWER_EXECUTIONS = 'Run fewer executions with this API key at the same time';

const UNKNOWN = 'It may have been done';

function sentenceFor(advice: Exclude<Advice, { do: 'retry' }>, place: Place): string {
	const isTest = place === 'credentialTest';
	switch (advice.do) {
		case 'retrySafely': {
			const when = advice.isLater ? ' in a few minutes' : '';
			return isTest ? `Test again${when}` : `Nothing was changed. Try again${when}`;
		}
		case 'retryThenReport':
			return place === 'poll'
				? "If it happens again, send the request ID to the service's support"
				: "Try again, or send the request ID to the service's support";
		case 'repeatWithSameKey': {
			const repeat = advice.isUserKey
				? "use the same 'Idempotency Key'"
				: `set 'Prevent Duplicates' to Once per Key and 'Idempotency Key' to '${advice.idempotencyKey}'`;
			return advice.canRetry && place !== 'tool'
				? `${UNKNOWN}. Use Retry on this execution: it does nothing twice. To repeat it elsewhere, ${repeat}`
				: `${UNKNOWN}. To repeat it safely, ${repeat}`;
		}
		case 'changeKey':
			return "Change 'Idempotency Key' under Options, or use what the first request made";
		case 'resolveConflict': {
			const [noun, list] = advice.what === 'run' ? ['run', 'Run'] : ['Prospector workflow', 'Workflow'];
			const look = `look for the ${noun} with ${list} › Get Many, and make another one only if it is missing`;
			const retry = 'Wait a minute and use Retry on this execution, which sends the same key again';
			return place === 'tool' ? upperFirst(look) : `${retry}. If that does not help, ${look}`;
		}
		case 'continueRun':
			return continueRun(advice.run, advice.canRetry && place !== 'tool');
		case 'inspect':
			return advice.what === 'workspace'
				? `${UNKNOWN}. Look in the workspace before you try again`
				: `${UNKNOWN}. Get the Prospector workflow before you try again`;
		case 'enterApiKey':
			return `Paste a current one into 'API Key'${isTest ? '' : ' of the credential'}`;
		case 'requestPermission':
			return 'Ask a workspace admin for such an API key';
		case 'checkBaseUrl':
			return baseUrlAdvice(advice.reason, isTest);
		case 'pick':
			if (advice.what === 'workflow') {
				const field = place === 'poll' ? '' : " in 'Prospector Workflow'";
				return `Pick one from the list${field}, or enter its ID, not its name`;
			}
			return "Pick one from the list in 'Run', or use the 'id' that Workflow › Run returns";
		case 'readAgain':
			return 'Get it again';
		case 'checkValues':
			if (isTest) return checkAddress(isTest);
			return advice.of === 'fields' ? 'Check the fields of this node' : "Correct 'Fields' or 'JSON'";
		case 'waitForLimit': {
			if (isTest) return 'Test again in a minute';
			if (place === 'poll') return FEWER_EXECUTIONS;
			const wait = advice.seconds === undefined ? 'a minute' : formatDuration(advice.seconds * 1000);
			return `Try again in ${wait}, or ${lowerFirst(FEWER_EXECUTIONS)}`;
		}
		case 'raiseRetryFor': {
			const wait = formatDuration(advice.throttledMs);
			// A list or a test in the editor has no such option.
			if (place === 'editor') return `Try again in ${wait}, or ${lowerFirst(FEWER_EXECUTIONS)}`;
			return `The next one is free in ${wait}. Raise 'Retry For (Seconds)' under Options, or ${lowerFirst(FEWER_EXECUTIONS)}`;
		}
		case 'raiseTimeout':
			return "If it is always slow, raise 'Request Timeout (Seconds)' in the credential's advanced settings";
		case 'reducePageSize':
			return "Set 'Page Size' under Options to a smaller number if this is a list";
		case 'raisePageSize':
			return "Set 'Page Size' under Options to a larger number, so that the list takes fewer requests, and try again";
		case 'removeStartCursor':
			return 'Remove it to read the list from its beginning, or check the ID of the run or Prospector workflow';
		case 'limitList':
			return "Turn off 'Return All' and set 'Limit', or read the list with 'Return One Page' under Options";
		case 'setCursorParameter':
			return "Check 'Cursor Parameter' in the credential's advanced settings";
	}
}

/** A test does not name the credential, which is open in the editor. */
export const checkAddress = (isTest: boolean) => `Check 'Base URL'${isTest ? '' : ' in the credential'}`;

function baseUrlAdvice(reason: Extract<Advice, { do: 'checkBaseUrl' }>['reason'], isTest: boolean): string {
	switch (reason) {
		case 'network':
			return `${checkAddress(isTest)} and n8n's network`;
		case 'certificate':
			return `${checkAddress(isTest)}, or have the certificate renewed`;
		case 'ssrfBlocked':
			return "Ask its admin to allow this one, or change 'Base URL'";
		case 'redirect':
			return `If you trust that address, enter it in 'Base URL'${isTest ? '' : ' of the credential'}`;
		case 'notFound':
			return checkAddress(isTest);
		case 'html':
			return `Or 'Base URL'${isTest ? '' : ' in the credential'} is wrong`;
		case 'body':
			return `${isTest ? 'Check the address' : 'Check the address in the credential'}. A login page or proxy may be in front of it`;
	}
}
