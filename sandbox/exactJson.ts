import { digest } from './ids';

/** The property with the digits. It is random, so that clients cannot send it. */
const DIGITS = digest(String(Math.random()));
/** A quote, an escaped character or a number. An expression for whole strings overflows the stack on long ones. */
const TOKEN = /"|\\.|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/gi;
const EXACT_NUMBER = new RegExp(`\\{"${DIGITS}":"([^"]*)"\\}`, 'g');

/** Returns a value that {@link renderExactJson} renders as these digits. Seeds and settings can contain it, too. */
export const exactNumber = (digits: string): Record<string, string> => ({ [DIGITS]: digits });

/** Like JSON.parse, but returns exact numbers for the numbers that JavaScript would write with other digits. */
export function parseExactJson(text: string): unknown {
	let isInString = false;
	const exact = text.replace(TOKEN, (token) => {
		if (token === '"') isInString = !isInString;
		const isNumber = !isInString && token !== '"' && !token.startsWith('\\');
		return isNumber && String(Number(token)) !== token ? JSON.stringify(exactNumber(token)) : token;
	});
	return JSON.parse(exact);
}

/** Like JSON.stringify, but renders exact numbers as their digits. */
export const renderExactJson = (value: unknown): string => JSON.stringify(value).replace(EXACT_NUMBER, '$1');
