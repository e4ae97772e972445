import { RE2JS } from 're2js';
import { ControlError } from './errors';

const MAX_LENGTH = 1000;

/**
 * Compiles a pattern. RE2 matches in linear time whatever the pattern and the path are.
 * @throws ControlError 400 on a pattern that is too long, wrong, or beyond what RE2 can express
 */
export function compilePathRegex(source: string): RE2JS {
	try {
		if (source.length > MAX_LENGTH) throw new Error('it is too long');
		return RE2JS.compile(source);
	} catch (error) {
		const reason = (error as Error).message.replace('error parsing regexp: ', '');
		throw new ControlError(
			400,
			`"pathRegex" must be an RE2 expression of at most ${MAX_LENGTH} characters, ` +
				`without lookarounds and backreferences (${reason}).`,
		);
	}
}
