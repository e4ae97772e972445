import type { Advice } from '../transport/failure/advice';
import type { StartedRun } from '../transport/request/apiRequest';
import { formatDuration } from './userMessage';

/** Where a message appears. */
export type Place = 'node' | 'tool' | 'poll' | 'credentialTest';

/** Advice that makes no sense in a place: a failed poll has no items to retry, and a credential has no options. */
const LEFT_OUT: Partial<Record<Place, Array<Advice['do']>>> = {
	poll: ['retry', 'retrySafely', 'raiseMaxWait'],
	credentialTest: ['raiseTimeout', 'raiseMaxWait'],
};

/** Returns the advice as sentences without full stops. */
export function adviceSentences(advice: Advice[], place: Place): string[] {
	const sentences: string[] = [];
	const again = place === 'credentialTest' ? 'test again' : 'retry';
	for (const one of advice.filter(({ do: action }) => !LEFT_OUT[place]?.includes(action))) {
		// "Check the fields of this node, then retry"
		if (one.do === 'retry') sentences.push(`${sentences.pop()}, then ${again}`);
		else sentences.push(sentenceFor(one, place));
	}
	return sentences;
}

/** For a person who can't use n8n's own retry, which sends the same key. */
export const repeatWithKey = (idempotencyKey: string) =>
	`To repeat it in any other way, set 'Idempotency Key' under Options to '${idempotencyKey}'`;

export function continueRun({ id, idempotencyKey }: StartedRun): string {
	const later = `The run goes on. Read it later with Run › Get and its results with Result › Get Many, ID '${id}'`;
	return idempotencyKey === undefined
		? `${later}. Do not retry this: no idempotency key was sent, so another run would be started`
		: `${later}. Or retry this from the executions list, which goes on with the same run. ${repeatWithKey(idempotencyKey)}`;
}

const FEWER_EXECUTIONS = 'let fewer executions use the same API key at a time';

function sentenceFor(advice: Exclude<Advice, { do: 'retry' }>, place: Place): string {
	const isTest = place === 'credentialTest';
	switch (advice.do) {
		case 'retrySafely':
			return isTest ? 'Test again' : 'Nothing was changed, so it is safe to retry';
		case 'retryWithSameKey':
			return 'Retry it from the executions list, which sends the same idempotency key, so that nothing is done twice';
		case 'retryThenReport':
			return place === 'poll'
				? "If it happens again, report the request to the service's support"
				: "Retry; if it happens again, report the request to the service's support";
		case 'repeatWithKey':
			return repeatWithKey(advice.idempotencyKey);
		case 'changeKey':
			return "An earlier request with this key carried other values: if it is fine, use what it made; if these values should count, start a new execution or give another key in 'Idempotency Key'";
		case 'continueRun':
			return continueRun(advice.run);
		case 'inspect':
			return advice.what === 'workspace'
				? 'It is not known whether the service did it, and no idempotency key was sent: look in the workspace before you retry'
				: 'It is not known whether the service did it: look at the Prospector workflow before you retry';
		case 'enterApiKey':
			return isTest
				? "Paste a current key into 'API Key'"
				: "Put a current key into 'API Key' of the credential";
		case 'requestPermission':
			return 'Ask an admin of the workspace for such a key';
		case 'checkBaseUrl':
			if (advice.reason === 'notFound') return checkAddress(isTest);
			return advice.reason === 'body'
				? `${checkAddress(isTest)} and that no login page or proxy stands in front of it`
				: BASE_URL_ADVICE[advice.reason];
		case 'pick':
			return advice.what === 'workflow'
				? "Pick one in 'Workflow' from the list, or give the 'id' of one that Workflow › Get Many returns, not its name"
				: "A run's ID is the 'id' that Workflow › Run and Run › Get Many return";
		case 'readAgain':
			return 'Read it again';
		case 'checkValues':
			if (isTest) return checkAddress(isTest);
			return advice.of === 'fields'
				? 'Check the fields of this node'
				: "Check the values in 'Fields' or 'JSON', as the service may expect others. Correct them";
		case 'waitForLimit': {
			if (isTest) return 'Wait a minute and test again';
			if (place === 'poll') return `L${FEWER_EXECUTIONS.slice(1)}`;
			const wait = advice.seconds === undefined ? 'a minute' : `${advice.seconds} s`;
			return `Wait ${wait} and retry, or ${FEWER_EXECUTIONS}`;
		}
		case 'raiseMaxWait':
			return `Its turn would come in ${formatDuration(advice.throttledMs)} at the earliest, which is longer than 'Max Wait' under Options allows. Retry later, raise 'Max Wait', or ${FEWER_EXECUTIONS}`;
		case 'raiseTimeout':
			return "If the service is only slow, raise 'Request Timeout' under the node's Options";
		case 'reducePageSize':
			return "Set 'Page Size' under Options to a smaller number if this is a list";
		case 'limitList':
			return "To read a longer list, turn off 'Return All' and set 'Limit' to as many items as you need, or read it page by page with 'Return One Page' under Options";
		case 'setCursorParameter':
			return "If the service names its cursor parameter differently, set 'Cursor Parameter' under 'Show Advanced Settings' of the credential";
	}
}

/** A test does not name the credential, which is open in the editor. */
export const checkAddress = (isTest: boolean) =>
	`Check that 'Base URL'${isTest ? '' : ' of the credential'} is the address of the Prospector API`;

const BASE_URL_ADVICE = {
	network: "Check 'Base URL' of the credential and the network of this n8n",
	certificate: "Check 'Base URL' of the credential, or have the certificate renewed",
	ssrfBlocked: "Check 'Base URL' of the credential, or ask the person who runs this n8n to allow the address",
	redirect: "Put the final address into 'Base URL' if you trust it",
	html: "Or 'Base URL' of the credential is not the address of the Prospector API",
};
