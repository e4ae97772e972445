// Parses JSON of any content in short slices (docs/decisions/0008-responses-item-by-item.md). Called for each
// response, and for JSON that a person entered; no digit of a whole number changes.
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { JsonLimit } from '../../api/failure/failure';
import { isExactNumber } from '../../utils';
import type { Turns } from '../turns';

/** JSON.parse takes at most 12 ms for this many bytes, whatever they contain (decisions/0008). */
const SLICE_BYTES = 32 * 1024;
/** Limits a text, and every object but the outermost one, such as a resource. */
export const MAX_VALUE_BYTES = 1024 * 1024;
export const MAX_FIELDS = 10_000;
const MAX_LIST_ITEMS = 200_000;
export const MAX_LEVELS = 1000;
/** More than a message shows. */
const MAX_FIELD_NAMES = 10;

/** The compiler replaces these by numbers, which are faster than constants. */
const enum Byte {
	Quote = 0x22,
	Comma = 0x2c,
	Bracket = 0x5b,
	Backslash = 0x5c,
	Brace = 0x7b,
	ClosingBracket = 0x5d,
	ClosingBrace = 0x7d,
	/** Turns `[` into `{`, and `]` into `}`. */
	BraceBit = 0x20,
}

export class JsonLimitError extends Error {
	constructor(readonly limit: JsonLimit) {
		super(limit);
	}
}

/**
 * Parses JSON as JSON.parse does, but in slices, between which the event loop has its turns (decisions/0008). A whole
 * number that JavaScript would write with other digits becomes text, and so does a number that is too large for it.
 *
 * @param bytes in UTF-8
 * @returns the value, and the names of the first fields with numbers that became text
 * @throws SyntaxError; JsonLimitError for a text or object above 1 MB, an object above 10,000 fields, a list above
 *   200,000 items, and more than 1,000 levels
 */
export async function readJson(bytes: Buffer, turns: Turns) {
	const reader = new JsonReader(bytes, turns);
	const value = await reader.read();
	return { value, fieldsWithTextNumbers: [...reader.fieldsWithTextNumbers] };
}

/** A list or object that began in an earlier slice than the one in which it ends. */
interface OpenContainer {
	/** Position of its first byte. */
	start: number;
	/** Name of the field that it is; '' in a list. */
	name: string;
	value: unknown[] | IDataObject;
}

/** In a slice, the name of the field that continues an open list or object. No service knows it. */
const CONTINUED = randomUUID() as string as 'continued';

/**
 * Cuts JSON at commas, and parses each slice alone: the lists and objects that are open before it are opened again, and
 * those that are open behind it are closed. After the first comma of `{"data":[1,2]}`, that gives `[{"…":[null,2]}]`, with
 * {@link CONTINUED} as the name, and a list around everything. What is in it is added to the open ones.
 */
class JsonReader {
	readonly fieldsWithTextNumbers = new Set<string>();
	private sliceStart = 0;
	/** What is open before the next slice. The first one is a list around the JSON. */
	private readonly open: [OpenContainer, ...OpenContainer[]] = [{ start: -1, name: '', value: [] }];
	/** Number of lists and objects that are open at the end of the slice. */
	private level = 0;
	/** By level, the positions of each open list or object, and of its current value. */
	private readonly starts = [-1];
	private readonly valueStarts = [0];
	/** Of the outermost object that is limited in its size; 0 without one. */
	private limitedLevel = 0;
	/** Whether the innermost open one is a list, of which each slice has ended between two objects. */
	private isListOfObjects = false;
	/** Before this position, no list is guessed to be one of objects. Bounds the time for wrong guesses. */
	private nextGuess = 0;

	constructor(
		private readonly bytes: Buffer,
		private readonly turns: Turns,
	) {}

	async read(): Promise<unknown> {
		const { bytes, turns } = this;
		let end: number;
		do {
			end = this.addObjects() ?? this.addSlice();
			if (turns.isOver()) await turns.next();
		} while (end < bytes.length);
		const values = this.open[0].value as unknown[];
		if (this.level > 0 || values.length !== 1) throw new SyntaxError();
		return values[0];
	}

	/** Adds the next slice. Returns where it ends. */
	private addSlice(): number {
		const { bytes, open, starts } = this;
		const end = this.findSliceEnd();
		this.checkSize(end);
		const slice = bytes.toString('utf8', this.sliceStart, end);
		const isComma = bytes[end] === Byte.Comma;
		// The closing bracket would hide that a value is missing.
		if (isComma && /[[{]$/.test(slice.trimEnd())) throw new SyntaxError();
		// `null` takes the place of the part of the next level, which the innermost open one does not have.
		const openings = open.map(({ value }) => (Array.isArray(value) ? '[' : `{"${CONTINUED}":`));
		const closings = starts
			.slice(0, this.level + 1)
			.map((start) => (bytes[start] === Byte.Brace ? '}' : ']'));
		const part = this.parse(`${openings.join('')}null,${slice}${closings.reverse().join('')}`, 0);
		if (part === undefined) throw new SyntaxError();
		this.addPart(part);
		this.updateOpen();
		this.sliceStart = isComma ? end + 1 : end;
		return end;
	}

	/** Returns where the next slice ends: at a comma, before the objects of the contract's envelope, or at the end. */
	private findSliceEnd(): number {
		const { bytes, sliceStart, starts, valueStarts } = this;
		const isSmall = bytes.length <= SLICE_BYTES;
		// A small document is one slice, in which nothing is looked for.
		for (let position = isSmall ? bytes.length : sliceStart; position < bytes.length; position++) {
			const byte = bytes[position];
			if (byte === Byte.Quote) position = this.findTextEnd(position);
			else if (byte === Byte.Comma) {
				valueStarts[this.level] = position + 1;
				if (position >= sliceStart + SLICE_BYTES) return position;
			} else if ((byte | Byte.BraceBit) === Byte.Brace) {
				// The list of the contract's envelope, `{"data":[{`, is at the second level.
				const isFirstOfEnvelope = bytes[position - 1] === Byte.Bracket && starts[2] === position - 1;
				this.isListOfObjects = isFirstOfEnvelope && byte === Byte.Brace && position >= this.nextGuess;
				if (this.isListOfObjects) {
					this.nextGuess = position + SLICE_BYTES;
					return position;
				}
				this.enter(byte, position);
			} else if ((byte | Byte.BraceBit) === Byte.ClosingBrace) this.leave(position);
			if (position >= sliceStart + SLICE_BYTES) this.checkSize(position);
		}
		return bytes.length;
	}

	/** Returns where the text that begins at a quote ends. */
	private findTextEnd(start: number): number {
		const { bytes } = this;
		const isCut = start + MAX_VALUE_BYTES < bytes.length;
		const maxEnd = isCut ? start + MAX_VALUE_BYTES : bytes.length;
		for (let position = start + 1; position < maxEnd; position++) {
			if (bytes[position] === Byte.Quote) return position;
			if (bytes[position] === Byte.Backslash) position++;
		}
		throw isCut ? new JsonLimitError('value') : new SyntaxError();
	}

	private enter(byte: number, position: number): void {
		const level = ++this.level;
		if (level > MAX_LEVELS) throw new JsonLimitError('levels');
		this.starts[level] = position;
		this.valueStarts[level] = position + 1;
		if (this.limitedLevel === 0 && byte === Byte.Brace && level > 1) this.limitedLevel = level;
	}

	private leave(position: number): void {
		if (this.level === 0) throw new SyntaxError();
		if (this.level-- !== this.limitedLevel) return;
		this.checkSize(position);
		this.limitedLevel = 0;
	}

	/** @throws JsonLimitError if the current text, white space or object is too large */
	private checkSize(end: number): void {
		const isTooLarge =
			end - this.sliceStart > MAX_VALUE_BYTES + SLICE_BYTES ||
			(this.limitedLevel > 0 && end - this.starts[this.limitedLevel] > MAX_VALUE_BYTES);
		if (isTooLarge) throw new JsonLimitError('value');
	}

	/** Adds what is in a slice to what was open before it. */
	private addPart(part: unknown): void {
		// At each level of `open`, the first item or the field CONTINUED is the part of the next level. The rest is new.
		for (const { value } of this.open) {
			if (Array.isArray(value)) {
				const [continued, ...items] = part as unknown[];
				part = continued;
				addItems(value, items);
			} else {
				const { [CONTINUED]: continued, ...fields } = part as IDataObject;
				part = continued;
				// An assignment to __proto__ would not add a field.
				for (const [name, field] of Object.entries(fields))
					Object.defineProperty(value, name, {
						value: field,
						configurable: true,
						enumerable: true,
						writable: true,
					});
				if (Object.keys(value).length > MAX_FIELDS) throw new JsonLimitError('fields');
			}
		}
	}

	/** Finds what is open behind a slice, after it was added. */
	private updateOpen(): void {
		const { bytes, open, starts, valueStarts } = this;
		let level = 1;
		while (level <= this.level && open[level]?.start === starts[level]) level++;
		open.length = level;
		for (; level <= this.level; level++) {
			const start = starts[level];
			const { value: parent } = open[level - 1];
			const name = Array.isArray(parent)
				? ''
				: parseLabel(bytes.toString('utf8', valueStarts[level - 1], start));
			// The cast is for the rule no-unsafe-keys: the name is an own field, even if it is __proto__.
			const value = Array.isArray(parent) ? parent[parent.length - 1] : parent[name as 'id'];
			open.push({ start, name, value: value as OpenContainer['value'] });
		}
	}

	/**
	 * Adds the objects of a list up to the last `},{` in the next slice, if these can be parsed alone. Returns where they
	 * end. This takes much less time than scanning each byte.
	 */
	private addObjects(): number | undefined {
		const { bytes, open, sliceStart } = this;
		if (!this.isListOfObjects) return undefined;
		const end = sliceStart + bytes.subarray(sliceStart, sliceStart + SLICE_BYTES).lastIndexOf('},{') + 1;
		const items = this.parse(`[${bytes.toString('utf8', sliceStart, end)}]`, this.level) as
			unknown[] | undefined;
		this.isListOfObjects = items !== undefined && end > sliceStart;
		if (!this.isListOfObjects) return undefined;
		addItems(open[this.level].value as unknown[], items!);
		this.sliceStart = this.valueStarts[this.level] = end + 1;
		return end;
	}

	/**
	 * Parses a list without changing a whole number. Returns undefined if it is not valid JSON.
	 *
	 * @param level of the open list that it continues: 0 is the list around the JSON
	 */
	private parse(json: string, level: number): unknown {
		let value: object;
		try {
			value = JSON.parse(json) as object;
		} catch {
			return undefined;
		}
		if (isExact(value, level)) return value;
		const exactValue: unknown = JSON.parse(quoteNumbers(json));
		const name = this.open.slice(0, level + 1).reduce((last, one) => one.name || last, '');
		this.addTextFields(value, exactValue, name, level);
		return exactValue;
	}

	/** Adds the names of the fields whose numbers have become text. @param name of the field that has the value */
	private addTextFields(value: unknown, exactValue: unknown, name: string, level: number): void {
		const { fieldsWithTextNumbers: names, open } = this;
		if (typeof value !== typeof exactValue && names.size < MAX_FIELD_NAMES) names.add(name);
		if (typeof value !== 'object' || value === null) return;
		const exactFields = Object.values(exactValue as object) as unknown[];
		for (const [index, [key, field]] of Object.entries(value).entries()) {
			const fieldName = key === CONTINUED ? (open[level + 1]?.name ?? '') : key;
			this.addTextFields(field, exactFields[index], Array.isArray(value) ? name : fieldName, level + 1);
		}
	}
}

/**
 * Whether no number in a parsed list or object can stand for another one. Most values are texts, and all are checked, so
 * these are skipped first. @throws JsonLimitError if it has too many levels
 */
function isExact(parsed: object, level: number): boolean {
	if (level > MAX_LEVELS) throw new JsonLimitError('levels');
	if (Array.isArray(parsed)) {
		for (let i = 0; i < parsed.length; i++) {
			const item: unknown = parsed[i];
			if (typeof item !== 'string' && !isExactValue(item, level + 1)) return false;
		}
	} else {
		for (const name in parsed) {
			const field: unknown = parsed[name as keyof typeof parsed];
			if (typeof field !== 'string' && !isExactValue(field, level + 1)) return false;
		}
	}
	return true;
}

function isExactValue(value: unknown, level: number): boolean {
	if (typeof value === 'number') return isExactNumber(value);
	return typeof value !== 'object' || value === null || isExact(value, level);
}

function addItems(list: unknown[], items: unknown[]): void {
	for (const item of items) list.push(item);
	if (list.length > MAX_LIST_ITEMS) throw new JsonLimitError('items');
}

/** Returns the name in a label. @throws SyntaxError */
const parseLabel = (label: string): string => Object.keys(JSON.parse(`{${label}null}`) as object)[0];

/** Puts quotation marks around the numbers in valid JSON that JavaScript can't represent. A decimal may be rounded. */
const quoteNumbers = (json: string): string =>
	json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/gi, (token) => {
		if (token.startsWith('"')) return token;
		const number = Number(token);
		const isRounded = /[.e]/i.test(token) && Number.isFinite(number);
		return isRounded || isExactNumber(number) ? token : `"${token}"`;
	});
