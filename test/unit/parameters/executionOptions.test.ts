import type { Parameter } from '../../../nodes/Prospector/parameters/parameter';
import { getManyOptions } from '../../../nodes/Prospector/parameters/getManyOptions';
import {
	maxConcurrentRequests,
	retryFor,
	waitForCompletionOptions,
	waitOptions,
} from '../../../nodes/Prospector/parameters/executionOptions';
import { expectError, readParameter } from '../helpers/support';

const MAX = Number.MAX_SAFE_INTEGER;
const inOptions = (name: string) => (value: unknown) => ({ options: { [name]: value } });
const waiting = (waitUpTo: unknown) => ({ waitForCompletion: true, waitUpTo });
const pick = <T>(parameter: Parameter<T>, name: string): Parameter<unknown> => ({
	read: (values) => Object.entries(parameter.read(values) as object).find(([key]) => key === name)?.[1],
});

type SetField = (value: unknown) => object;
type Range = [min: number, max: number, unset: unknown, factor: number];
const MONTH = 2_678_400;
const WAIT = 'Wait Up To (Seconds)';

test.each<[string, Parameter<unknown>, SetField, ...Range]>([
	['Limit', pick(getManyOptions, 'limit'), (limit) => ({ limit }), 1, MAX, 50, 1],
	['Page Size', pick(getManyOptions, 'pageSize'), inOptions('pageSize'), 1, MAX, undefined, 1],
	['Retry For (Seconds)', retryFor, inOptions('retryFor'), 0, MONTH, 300_000, 1000],
	['Max Concurrent Requests', maxConcurrentRequests, inOptions('maxConcurrentRequests'), 1, 100, 5, 1],
	[WAIT, pick(waitOptions, 'waitUpToMs'), (waitUpTo) => ({ waitUpTo }), 1, MONTH, 3_600_000, 1000],
	[WAIT, pick(waitForCompletionOptions, 'waitUpToMs'), waiting, 1, MONTH, 3_600_000, 1000],
])("the parameter '%s' can be unset and accepts only whole numbers in its range", async (label, ...row) => {
	const [parameter, set, min, max, unset, factor] = row;
	const read = (value: unknown) => readParameter(parameter, set(value));
	expect(read(undefined)).toBe(unset);
	for (const value of [min, String(min + 1), ` ${min + 2}.0\n`, max])
		expect(read(value)).toBe(Number(value) * factor);
	const range = max === MAX ? `, ${min} or more` : ` from ${min} to ${max}`;
	const message = `'${label}' must be a whole number${range}`;
	const description = 'Enter a number, or an expression that returns a number';
	for (const value of [
		...[min - 1, max + 1, 1.5, '1.5', 'soon', `${min} leads`, NaN, Infinity, 10n],
		...[true, [min], { n: min }, Object.create(null), Symbol('a')],
	]) {
		expect(await expectError(() => read(value))).toEqual({ message, description });
	}
	for (const empty of ['', ' ', null]) {
		if ('options' in set(empty)) expect(read(empty)).toBe(unset);
		else expect(await expectError(() => read(empty))).toMatchObject({ message });
	}
});
