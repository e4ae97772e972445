// Parses JSON of any content in short slices (docs/decisions/0008-responses-item-by-item.md). Called for each
// response, and for JSON that a person entered; no digit of a number changes.
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
const SPACES = [...Buffer.from(' \t\n\r')];

export class JsonLimitError extends Error {
	constructor(readonly limit: JsonLimit) {
		super(limit);
	}
}

/** An open list or object that is parsed in slices, because it is larger than one. */
class Container {
	/** The items of a list, or the entries of an object. */
	readonly values: unknown[] = [];
	/** Whether the last one in `values` is a container, so that only a comma or the end may follow. */
	isAfterContainer = false;

	/**
	 * @param label the text before it in the container around it: its name and a colon, or nothing
	 * @param sliceStart the position behind everything that is in `values`
	 * @param isListOfObjects whether each slice so far ended between two objects
	 */
	constructor(
		readonly isList: boolean,
		readonly label: string,
		public sliceStart: number,
		public isListOfObjects = isList,
	) {}

	add(newValues: unknown[]): void {
		for (const value of newValues) this.values.push(value);
		const isTooLong = this.values.length > (this.isList ? MAX_LIST_ITEMS : MAX_FIELDS);
		if (isTooLong) throw new JsonLimitError(this.isList ? 'items' : 'fields');
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

/**
 * With slices of a few bytes, after the first comma of `{"data":[{"id":1},{"id":2}]}`: `level` is 2, `starts` are 0, 0 and 8,
 * `valueStarts` are 0, 1 and 18. `containers` are the list around all, the outer object and the list `data`, whose `values`
 * are the first object, and whose `sliceStart` is 18.
 */
class JsonReader {
	readonly fieldsWithTextNumbers = new Set<string>();
	private position = 0;
	/** Number of open lists and objects. */
	private level = 0;
	/** By level, the positions of each open list or object, and of its current value. */
	private readonly starts = [0];
	private readonly valueStarts = [0];
	/** Those that are parsed in slices; the first one is a list around the JSON. */
	private readonly containers = [new Container(true, '', 0, false)];
	/** Of the outermost object that is limited in its size; 0 without one. */
	private limitedLevel = 0;

	constructor(
		private readonly bytes: Buffer,
		private readonly turns: Turns,
	) {}

	async read(): Promise<unknown> {
		const { bytes, turns, containers } = this;
		const [root] = containers;
		// Small JSON is a single slice.
		while (bytes.length > SLICE_BYTES && this.position < bytes.length) {
			if (!this.tryAddObjects()) this.scanSlice();
			if (turns.isOver()) await turns.next();
		}
		if (containers.length > 1) throw new SyntaxError();
		this.checkSize(bytes.length);
		this.addSlice(root, bytes.length);
		if (root.values.length !== 1) throw new SyntaxError();
		return root.values[0];
	}

	/** Continues up to the comma behind the next slice, or to the end. */
	private scanSlice(): void {
		const { bytes, containers, valueStarts } = this;
		const sliceEnd = this.position + SLICE_BYTES;
		for (let { position } = this; position < bytes.length; position++) {
			const byte = bytes[position];
			let isSliceComplete = false;
			if (byte === Byte.Quote) position = this.findTextEnd(position);
			else if (byte === Byte.Comma && this.level === 0) throw new SyntaxError();
			else if (byte === Byte.Comma) valueStarts[this.level] = position + 1;
			else if ((byte | Byte.BraceBit) === Byte.Brace) isSliceComplete = this.enter(byte, position);
			else if ((byte | Byte.BraceBit) === Byte.ClosingBrace) isSliceComplete = this.leave(position);
			if (!isSliceComplete && position >= sliceEnd) {
				this.checkSize(position);
				if (byte === Byte.Comma) {
					this.openContainers(this.level);
					this.addSlice(containers[this.level], position);
					isSliceComplete = true;
				}
			}
			if (!isSliceComplete) continue;
			this.position = position + 1;
			return;
		}
		this.position = bytes.length;
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

	/** Returns whether the list or object that begins is the list of the contract's envelope: most of the body. */
	private enter(byte: number, position: number): boolean {
		const level = ++this.level;
		if (level > MAX_LEVELS) throw new JsonLimitError('levels');
		this.starts[level] = position;
		this.valueStarts[level] = position + 1;
		if (byte === Byte.Bracket && level === 2) {
			this.openContainers(level);
			return true;
		}
		if (this.limitedLevel === 0 && byte === Byte.Brace && level > 1) this.limitedLevel = level;
		return false;
	}

	/** Returns whether the list or object that ends was parsed in slices. */
	private leave(position: number): boolean {
		if (this.level === 0) throw new SyntaxError();
		if (this.level === this.limitedLevel) {
			this.checkSize(position);
			this.limitedLevel = 0;
		}
		if (this.level-- !== this.containers.length - 1) return false;
		this.closeContainer(position);
		return true;
	}

	/** @throws JsonLimitError if the current text, white space or object is too large */
	private checkSize(end: number): void {
		const { sliceStart } = this.containers[this.containers.length - 1];
		const isTooLarge =
			end - sliceStart > MAX_VALUE_BYTES + SLICE_BYTES ||
			(this.limitedLevel > 0 && end - this.starts[this.limitedLevel] > MAX_VALUE_BYTES);
		if (isTooLarge) throw new JsonLimitError('value');
	}

	/** Begins to parse the list or object at a level in slices, and those around it. */
	private openContainers(lastLevel: number): void {
		const { bytes, containers, starts, valueStarts } = this;
		for (let level = containers.length; level <= lastLevel; level++) {
			const parent = containers[level - 1];
			const valueStart = valueStarts[level - 1];
			// There is no comma before it.
			if (valueStart < parent.sliceStart) throw new SyntaxError();
			if (valueStart > parent.sliceStart) this.addSlice(parent, valueStart - 1);
			const start = starts[level];
			const label = bytes.toString('utf8', valueStart, start);
			containers.push(new Container(bytes[start] === Byte.Bracket, label, start + 1));
		}
	}

	private closeContainer(end: number): void {
		const { bytes, containers } = this;
		const container = containers[containers.length - 1];
		const { isList, label, values } = container;
		if (isList === (bytes[end] === Byte.ClosingBrace)) throw new SyntaxError();
		this.addSlice(container, end);
		containers.pop();
		const parent = containers[containers.length - 1];
		const value = isList ? values : Object.fromEntries(values as Array<[string, unknown]>);
		// Only a name with a colon may stand before a field, and nothing before an item.
		if (parent.isList && /[^ \t\n\r]/.test(label)) throw new SyntaxError();
		parent.values.push(parent.isList ? value : [parseLabel(label), value]);
		parent.sliceStart = end + 1;
		parent.isAfterContainer = true;
	}

	/**
	 * Adds a slice of a list of objects, up to the last `},{`, if the slice can be parsed. Returns whether it was added. This
	 * takes much less time than scanning each byte.
	 */
	private tryAddObjects(): boolean {
		const { bytes, position, containers } = this;
		const list = containers[containers.length - 1];
		if (!list.isListOfObjects || list.isAfterContainer) return false;
		const objectEnd = bytes.subarray(position, position + SLICE_BYTES).lastIndexOf('},{');
		const end = position + objectEnd + 1;
		const values = objectEnd === -1 ? undefined : this.parseSlice(list, position, end);
		list.isListOfObjects = values !== undefined;
		if (values === undefined) return false;
		this.checkSize(end);
		list.add(values);
		this.position = list.sliceStart = this.valueStarts[this.level] = end + 1;
		return true;
	}

	/** Adds the values up to a comma or the end of their container. */
	private addSlice(container: Container, end: number): void {
		const { bytes } = this;
		const { isAfterContainer } = container;
		let { sliceStart: start } = container;
		container.sliceStart = end + 1;
		container.isAfterContainer = false;
		if (isAfterContainer) {
			while (start < end && SPACES.includes(bytes[start])) start++;
			if (start === end) return;
			if (bytes[start++] !== Byte.Comma) throw new SyntaxError();
		}
		const values = this.parseSlice(container, start, end);
		// Only a whole list or object can be empty.
		const mayBeEmpty = container.values.length === 0 && bytes[end] !== Byte.Comma;
		if (values === undefined || (values.length === 0 && !mayBeEmpty)) throw new SyntaxError();
		container.add(values);
	}

	/** Parses values that are separated by commas. Returns undefined if they are not valid JSON. */
	private parseSlice({ isList }: Container, start: number, end: number): unknown[] | undefined {
		const slice = this.bytes.toString('utf8', start, end);
		const parsed = this.parse(isList ? `[${slice}]` : `{${slice}}`, this.containers.length - 1);
		return isList ? (parsed as unknown[] | undefined) : parsed && Object.entries(parsed);
	}

	/** Parses a list or object without changing a whole number. Returns undefined if it is not valid JSON. */
	private parse(json: string, level: number): object | undefined {
		let value: object;
		try {
			value = JSON.parse(json) as object;
		} catch {
			return undefined;
		}
		if (isExact(value, level)) return value;
		const exactValue = JSON.parse(quoteNumbers(json)) as object;
		const label = [...this.containers].reverse().find((container) => container.label.trim() !== '')?.label;
		const name = label === undefined ? '' : parseLabel(label);
		addTextFields(value, exactValue, name, this.fieldsWithTextNumbers);
		return exactValue;
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

/** Returns the name in a label. @throws SyntaxError */
const parseLabel = (label: string): string => Object.keys(JSON.parse(`{${label}null}`) as object)[0];

/** Adds the names of the fields whose numbers have become text. @param name of the field that has the value */
function addTextFields(value: unknown, exactValue: unknown, name: string, names: Set<string>): void {
	if (typeof value !== typeof exactValue && names.size < MAX_FIELD_NAMES) names.add(name);
	if (typeof value !== 'object' || value === null) return;
	const exactFields = Object.values(exactValue as object) as unknown[];
	for (const [index, [fieldName, field]] of Object.entries(value).entries())
		addTextFields(field, exactFields[index], Array.isArray(value) ? name : fieldName, names);
}

/** Puts quotation marks around the numbers in valid JSON that JavaScript can't represent. A decimal may be rounded. */
const quoteNumbers = (json: string): string =>
	json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/gi, (token) => {
		if (token.startsWith('"')) return token;
		const number = Number(token);
		const isRounded = /[.e]/i.test(token) && Number.isFinite(number);
		return isRounded || isExactNumber(number) ? token : `"${token}"`;
	});
