import type { Validated, UserMessage } from '../../messages/userMessage';

/**
 * Checks that values can be sent. An expression can give objects that JSON.stringify throws on. A BigInt is not one of
 * them: n8n makes it text.
 *
 * @param label the field as it is shown
 */
export function checkSerializable<T extends object>(values: T, label: string): Validated<T> {
	try {
		JSON.stringify(values);
		return { value: values };
	} catch (thrown) {
		return reasonFor(label, String((thrown as Error | undefined)?.message));
	}
}

/** @param thrown the message of V8 */
function reasonFor(label: string, thrown: string): UserMessage {
	if (thrown.includes('call stack')) {
		return {
			message: `'${label}' is nested too deeply`,
			description: 'Leave out the inner levels, or give them as text',
		};
	}
	const message = `'${label}' can't be sent as JSON`;
	if (thrown.includes('circular')) {
		return {
			message: `${message}, because it contains itself`,
			description: 'Give the values alone, without a reference to the object that they are in',
		};
	}
	return {
		message,
		description: 'Give text, numbers, true, false, null, and lists and objects of these, and not too many',
	};
}
