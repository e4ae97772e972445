import { sha256, type Details, type PictureRecord } from './record';

/** Pictures are shown half as wide or narrower. */
const MIN_WIDTH = 1000;

export interface Current {
	/** Every text of the package. */
	texts: Set<string>;
	details: Details;
}

/** Returns why a picture must be taken again; empty if it is up to date. */
export function reasonsToRetake(
	{ texts, ...record }: PictureRecord,
	png: Buffer,
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
	if (sha256(png) !== recordedHash) reasons.push('The file is not the one that was taken');
	if (widthOf(png) < MIN_WIDTH) reasons.push(`It is ${widthOf(png)} pixels wide, less than ${MIN_WIDTH}`);
	return reasons;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Reads the width from the header of a PNG file. */
function widthOf(png: Buffer): number {
	if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('This is not a PNG file');
	return png.readUInt32BE(16);
}
