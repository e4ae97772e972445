import { invalid, typeLabel } from '../messages/userMessage';
import type { Parameter } from './parameter';

/** Which idempotency key to send. `isKeyIgnored`: one was entered, but the mode is Automatic. */
export type KeyChoice =
	{ mode: 'automatic'; isKeyIgnored: boolean } | { mode: 'custom'; key: string } | { mode: 'none' };

export const keyChoice: Parameter<KeyChoice> = {
	options: [
		{
			displayName: 'Idempotency Key',
			name: 'idempotencyKey',
			type: 'string',
			default: '',
			placeholder: 'e.g. daily-leads-{{ $today.toISODate() }}',
			description:
				'Requests with the same key are carried out once, whichever execution sends them. With several items, put something of the item into it.',
		},
		{
			displayName: 'Idempotency Key Mode',
			name: 'idempotencyKeyMode',
			type: 'options',
			options: [
				{
					name: 'Automatic',
					value: 'automatic',
					description: 'Once per execution, node, loop round and item, however often it is retried',
				},
				{ name: 'Custom', value: 'custom', description: 'Once per key that you give, such as one per day' },
				{ name: 'None', value: 'none', description: 'Every request counts: a retry may do it again' },
			],
			default: 'automatic',
			description: 'What keeps a retry from doing the same thing twice',
		},
	],
	read(values) {
		const key = values.option('idempotencyKey');
		// A key without a mode counts, even an empty one, because an automatic key could start the same thing again.
		const isCustom = values.hasOption('idempotencyKey');
		const mode = values.option('idempotencyKeyMode') || (isCustom ? 'custom' : 'automatic');
		switch (mode) {
			case 'automatic':
				return { mode: 'automatic', isKeyIgnored: key !== undefined && key !== '' };
			case 'custom':
				return { mode: 'custom', key: parseKey(key ?? '') };
			case 'none':
				return { mode: 'none' };
			default:
				return invalid(
					typeof mode === 'string'
						? `'Idempotency Key Mode' has no choice '${mode}'`
						: `'Idempotency Key Mode' holds ${typeLabel(mode)}, which is none of its choices`,
					'Choose automatic, custom or none',
				);
		}
	},
};

/** The contract gives no format, so this accepts what fits into a header everywhere. @throws UserError */
function parseKey(value: unknown): string {
	const advice = "Give 'Idempotency Key' 1 to 255 printable ASCII characters, e.g. {{ $today.toISODate() }}";
	const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
	if (typeof text !== 'string') return invalid("'Idempotency Key' is not text", advice);
	const key = text.trim();
	if (key === '') {
		invalid("'Idempotency Key' is empty", `${advice}, or set 'Idempotency Key Mode' to Automatic`);
	}
	if (key.length > 255) {
		invalid(`'Idempotency Key' has ${key.length} characters, which is too long`, advice);
	}
	if (key.includes('[object ')) {
		invalid("'Idempotency Key' got an object, which would give every item the same key", advice);
	}
	if (!/^[\x20-\x7e]+$/.test(key)) {
		invalid("'Idempotency Key' holds line breaks or characters outside ASCII", advice);
	}
	return key;
}
