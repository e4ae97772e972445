import { sha256, type Details, type PictureRecord } from './record';

/** In pixels. Pictures are shown half as wide or narrower, animations as wide as they are. */
const MIN_WIDTH = { png: 1000, gif: 800 };

export interface Current {
	/** Every text of the package. */
	texts: Set<string>;
	details: Details;
}

/** Returns why a picture must be taken again; empty if it is up to date. */
export function reasonsToRetake(
	{ texts, ...record }: PictureRecord,
	file: Buffer,
	current: Current,
): string[] {
	const { sha256: recordedHash, ...details } = record;
	const reasons = texts
		.filter((text) => !current.texts.has(text))
		.map((text) => `The package has no text "${text}" any more`);
	for (const key of new Set([...Object.keys(details), ...Object.keys(current.details)]) as Set<
		keyof Details
	>) {
		const [shown, now] = [JSON.stringify(details[key]), JSON.stringify(current.details[key])];
		if (shown !== now) reasons.push(`It shows ${key} ${shown}, now they are ${now}`);
	}
	if (sha256(file) !== recordedHash) reasons.push('The file is not the one that was taken');
	const { format, width } = readHeader(file);
	const minWidth = MIN_WIDTH[format];
	if (width < minWidth) reasons.push(`It is ${width} pixels wide, less than ${minWidth}`);
	return reasons;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const GIF_SIGNATURE = Buffer.from('GIF89a');

function readHeader(file: Buffer): { format: keyof typeof MIN_WIDTH; width: number } {
	const startsWith = (signature: Buffer) => file.subarray(0, signature.length).equals(signature);
	if (startsWith(PNG_SIGNATURE)) return { format: 'png', width: file.readUInt32BE(16) };
	if (startsWith(GIF_SIGNATURE)) return { format: 'gif', width: file.readUInt16LE(GIF_SIGNATURE.length) };
	throw new Error('This is neither a PNG nor a GIF file');
}
