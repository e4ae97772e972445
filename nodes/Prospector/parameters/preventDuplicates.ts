// The parameters that choose the idempotency key. Used by the operations that start or create something.
import { UNEVALUATED_EXPRESSION } from '../messages/advice';
import { throwUserError, typeLabel } from '../messages/userMessage';
import { requireExactNumber } from './exactJson';
import { fieldsAndOptions, isBlank, option, type Parameter, readOption } from './parameter';
import { choice } from './parse';

/** How to prevent duplicates: by a key of the execution, by a key of the user, or not at all. */
export interface DuplicatePrevention {
	mode: 'execution' | 'key' | 'off';
	/** Only for `key`. */
	key?: string;
	/** Whether the user entered an idempotency key although the mode takes none. */
	hasUnusedKey?: boolean;
}

const PREVENTION_CHOICE = choice([
	{ name: 'Off', value: 'off', description: 'Every retry does it again' },
	{
		name: 'Once per Execution',
		value: 'execution',
		description: 'Retrying the execution does not do it again',
	},
	{
		name: 'Once per Key',
		value: 'key',
		description: 'Requests with the same text are done once, for example once a day',
	},
]);

const modeOption = option(PREVENTION_CHOICE, {
	displayName: 'Prevent Duplicates',
	name: 'preventDuplicates',
	default: 'execution',
	description: 'How to keep a retry from doing the same thing twice',
	builderHint: { propertyHint: "Leave it out, or use 'key' with idempotencyKey for once a day or item" },
});

const keyOption = option(
	{ property: { type: 'string', default: '' }, parse: parseIdempotencyKey },
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		placeholder: 'e.g. daily-leads-{{ $json.timestamp.slice(0, 10) }}',
		displayOptions: { show: { preventDuplicates: ['key'] } },
		description:
			'Text that names the job, such as the day on which it was due. With several input items, include something from the item.',
	},
);

export const preventDuplicates: Parameter<DuplicatePrevention> = {
	...fieldsAndOptions([keyOption, modeOption]),
	read(values) {
		const mode = modeOption.read(values);
		if (mode === 'key') return { mode, key: keyOption.read(values) };
		return { mode, hasUnusedKey: !isBlank(readOption(values, 'idempotencyKey')) };
	},
};

/** The contract gives no format, so this accepts what fits into a header everywhere. @throws UserError */
function parseIdempotencyKey(value: unknown): string {
	const text = typeof value === 'number' ? String(requireExactNumber(value, 'Idempotency Key')) : value;
	if (typeof text !== 'string' || text.includes('[object ')) {
		return throwUserError(
			`'Idempotency Key' got ${typeLabel(text)}`,
			'Use a value inside it, e.g. {{ $json.id }}',
		);
	}
	const key = text.trim();
	if (key === '') {
		throwUserError(
			"'Idempotency Key' is empty",
			"Under Options, enter text that names the job, such as the day: {{ $json.timestamp.slice(0, 10) }} after a Schedule Trigger. Or set 'Prevent Duplicates' to Once per Execution",
		);
	}
	if (key.includes('{{')) {
		const [flaw, advice] = UNEVALUATED_EXPRESSION;
		throwUserError(`'Idempotency Key' ${flaw}`, advice);
	}
	if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
		throwUserError(
			"'Idempotency Key' has line breaks or special characters, or is too long",
			'Use at most 255 plain letters, digits and punctuation marks',
		);
	}
	return key;
}
