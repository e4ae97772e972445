import { digest } from './ids';

/** A company that a run finds. */
export interface Company {
	/** By default an invented name. */
	companyName?: string;
	/** By default a new ID. */
	leadId?: string;
}

const NAMES = (
	'Halvenor,Brindlecote,Quillmark,Ostravale,Tervano,Lumenfjord,Kestrelworth,Marrowby,Velinta,Northquay,' +
	'Sablewick,Corvanth,Ilmarine,Fennhollow,Ardentis,Pellgrove,Wrenfield,Dovrena,Tallisker,Ombrelle'
).split(',');
const TRADES =
	'Logistics,Robotics,Analytics,Foods,Instruments,Packaging,Energy,Software,Textiles,Marine,Optics'.split(
		',',
	);
const LEGAL_FORMS = ['GmbH', 'Ltd', 'Inc.', 'AG', 'S.A.', 'B.V.', 'Oy'];

/** Combines invented parts, so that no real company is named. */
export function inventCompanyName(seed: string): string {
	const pick = (list: string[], part: string) =>
		list[parseInt(digest(`${part}:${seed}`, 8), 16) % list.length];
	return `${pick(NAMES, 'name')} ${pick(TRADES, 'trade')} ${pick(LEGAL_FORMS, 'form')}`;
}
