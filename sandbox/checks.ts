import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { ControlError } from './errors';

export type Schema = Record<string, unknown>;

const ajv = new Ajv();

export const text: Schema = { type: 'string', minLength: 1, maxLength: 1000 };
export const boolean: Schema = { type: 'boolean' };
export const integer = (minimum: number, maximum = 1_000_000_000): Schema => ({
	type: 'integer',
	minimum,
	maximum,
});
export const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
	type: 'object',
	properties,
	required,
	additionalProperties: false,
});

/** Returns a function that throws ControlError 400 with the name of the field that doesn't match a JSON Schema. */
export function createCheck(schema: Schema): (value: unknown) => void {
	// Compiling takes longer than most tests, and each of them uses few checks.
	let validate: ValidateFunction | undefined;
	return (value) => {
		validate ??= ajv.compile(schema);
		if (!validate(value)) throw new ControlError(400, describeError((validate.errors as ErrorObject[])[0]));
	};
}

function describeError({ keyword, instancePath, message, params }: ErrorObject): string {
	if (keyword === 'additionalProperties') {
		return `There is no field "${params.additionalProperty}" here, or it has no effect.`;
	}
	const requirement =
		keyword === 'enum' ? `must be one of: ${params.allowedValues.join(', ')}` : (message ?? 'is invalid');
	return `"${instancePath.slice(1)}" ${requirement}.`;
}
