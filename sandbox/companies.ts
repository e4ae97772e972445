import { digest } from './ids';

// Invented parts, put together: they look like companies and are none.
const NAMES = (
	'Halvenor,Brindlecote,Quillmark,Ostravale,Tervano,Lumenfjord,Kestrelworth,Marrowby,Velinta,Northquay,' +
	'Sablewick,Corvanth,Ilmarine,Fennhollow,Ardentis,Pellgrove,Wrenfield,Dovrena,Tallisker,Ombrelle'
).split(',');
const TRADES =
	'Logistics,Robotics,Analytics,Foods,Instruments,Packaging,Energy,Software,Textiles,Marine,Optics'.split(
		',',
	);
const FORMS = ['GmbH', 'Ltd', 'Inc.', 'AG', 'S.A.', 'B.V.', 'Oy'];

/** An invented company name; the same seed gives the same name. */
export function companyName(seed: string): string {
	const pick = (list: string[], salt: string) =>
		list[parseInt(digest(`${salt}:${seed}`, 8), 16) % list.length];
	return `${pick(NAMES, 'name')} ${pick(TRADES, 'trade')} ${pick(FORMS, 'form')}`;
}
