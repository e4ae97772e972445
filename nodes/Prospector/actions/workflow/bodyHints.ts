// Notices values of Create and Update that are probably not meant. Called before they are sent; the values stay as they
// are.
import type { Body } from '../../parameters/body';
import type { ItemContext } from '../operation';

/** A service can have templates such as `{{ name }}` of its own: only an expression's `$` is noticed. */
export function addBodyHints({ hints }: ItemContext, { json, values }: Body): void {
	if (Object.keys(values).length === 0) hints.add('noFields');
	if (/\{\{\s*\$/.test(json)) hints.add('expressionAsText');
}
