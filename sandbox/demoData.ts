import type { Company } from './companies';
import { digest } from './ids';
import type { SeedRequest } from './types';

const HOUR_MS = 3_600_000;

/** Five workflows, newest first. One is paused and has no runs. All companies are invented. */
export function demoData(now: number): SeedRequest {
	const hoursAgo = (hours: number) => new Date(now - hours * HOUR_MS).toISOString();
	const daysAgo = (days: number) => hoursAgo(24 * days);
	return {
		workflows: [
			{
				name: 'Logistics companies, Benelux',
				createdAt: daysAgo(5),
				fields: { description: 'Freight, warehouse and cold chain companies' },
				companies: LOGISTICS,
				runs: [{ createdAt: hoursAgo(25.6127), live: true, results: 15 }],
			},
			{
				name: 'SaaS companies in Germany, 10–50 people',
				createdAt: daysAgo(12),
				fields: { description: 'Software companies with 10 to 50 people' },
				companies: SAAS,
				runs: [
					{ createdAt: hoursAgo(48.9318), live: true, results: 12 },
					{ createdAt: hoursAgo(24.2046), live: true, results: 8 },
				],
			},
			{
				name: 'Clinics opening this quarter',
				createdAt: daysAgo(19),
				companies: CLINICS,
				runs: [{ createdAt: hoursAgo(3.7234), live: true, results: 5 }],
			},
			{ name: 'Trade fair follow-up', status: 'paused', createdAt: daysAgo(26), companies: TRADE_FAIR },
			{
				name: 'Food producers, Northern Italy',
				createdAt: daysAgo(33),
				fields: { description: 'Makers of cheese, pasta, wine and preserves' },
				companies: FOOD,
				runs: [{ createdAt: hoursAgo(75.4471), live: true, results: 7 }],
			},
		],
	};
}

const named = (...names: string[]): Company[] =>
	names.map((companyName) => ({ companyName, leadId: `lead_${digest(companyName, 8)}` }));

const LOGISTICS: Company[] = [
	// Found by the run above.
	...named(
		'Haverschelde Transport N.V.',
		'Duinmarke Logistics B.V.',
		'Polderzicht Warehousing B.V.',
		'Kempenveer Freight N.V.',
		'Ardenwald Cargo S.A.',
		'Lumenkaai Distribution N.V.',
		'Noordwaalen Shipping B.V.',
		'Terschouw Cold Chain B.V.',
		'Sambrelis Transports S.A.',
		'Vlietstra & Oomens Logistics B.V.',
		'Moselbrugg Spedition S.à r.l.',
		'Wielschoten Port Services N.V.',
		'Brabantlijn Express B.V.',
		'Clervallon Forwarding S.à r.l.',
		'Oosterdrecht Haulage B.V.',
	),
	// Found by the next run.
	{ companyName: 'Van Brindle Logistics B.V.', leadId: 'lead_7c21f09a' },
	{ companyName: 'Scheldekaai Warehousing N.V.', leadId: 'lead_7c21f1d4' },
	{ companyName: 'Ostravale Freight GmbH', leadId: 'lead_7c21f2b8' },
	{ companyName: 'Maasport Cold Storage B.V.', leadId: 'lead_7c21f377' },
	{ companyName: 'Kestrelworth Shipping Ltd', leadId: 'lead_7c21f40e' },
];

const SAAS = named(
	'Falkenrode Software GmbH',
	'Lindwerke Analytics GmbH',
	'Nordquellen Systems GmbH',
	'Kieselbacher Cloud GmbH',
	'Tannhofen Digital GmbH',
	'Morgenfelder Data GmbH',
	'Hellgrunder Payroll AG',
	'Wiesenkamp Scheduling GmbH',
	'Ostertal Billing GmbH',
	'Rabenfels Security GmbH',
	'Silberdorn Learning UG',
	'Haselwarte Logistics Software GmbH',
	'Drosselhain Contracts GmbH',
	'Bergwinkler HR GmbH',
	'Eulenbrook Research GmbH',
	'Steinmarker Energy Data GmbH',
	'Fuchsried Commerce GmbH',
	'Kranichsee Planning AG',
	'Auenstett Support GmbH',
	'Birkenloh Finance GmbH & Co. KG',
);

const CLINICS = named(
	'Clinique du Val Serein SAS',
	'Praxisklinik Lindenhagen GmbH',
	'Northmere Eye Clinic Ltd',
	'Clínica Ribalonga S.L.',
	'Augenzentrum Weissenbrunn AG',
	'Centro Medico Pratolungo S.r.l.',
	'Kliniek De Zilverlinde B.V.',
	'Harrowfen Dental Clinic Ltd',
	'Rehaklinik Moosgarten GmbH',
	'Clinique des Trois Vallons SA',
	'Poradnia Jasny Brzeg Sp. z o.o.',
	'Björkhagens Hudklinik AB',
	'Klinik Sonnenlehne GmbH',
	'Clínica Monteclaro Lda.',
	'Fjordlys Klinikk AS',
);

const FOOD = named(
	'Caseificio Valbruna Alta S.r.l.',
	'Pastificio Collemarino S.p.A.',
	'Riseria Fontelunga S.r.l.',
	'Cantina Monteselva Soc. Coop. Agr.',
	'Salumificio Borgoverde S.p.A.',
	'Conserve Pianalta S.r.l.',
	'Oleificio Rivachiara S.n.c.',
	'Biscottificio Tre Torrette S.r.l.',
	'Latteria Prati di Lume Soc. Coop. Agr.',
	'Acetaia Corteviva S.r.l.',
	'Molino Grandeluce S.p.A.',
	'Torrefazione Lungobrenna S.r.l.',
	'Gelateria Industriale Nevalba S.p.A.',
	'Funghi Boscaltino S.r.l.',
	'Mieli di Valcardina S.n.c.',
);

const TRADE_FAIR = named(
	'Maschinenbau Kellerwald GmbH',
	'Verpackungen Hohenried AG',
	'Brightmoor Tooling Ltd',
	'Robotique Sauvelune SAS',
	'Meccanica Alpestrina S.r.l.',
	'Waterloop Sensoren B.V.',
	'Northfold Instruments Inc.',
	'Tekniska Granliden AB',
	'Automatyka Srebrny Most Sp. z o.o.',
	'Herramientas Puertoancho S.A.',
	'Optik Sternhalde GmbH',
	'Lakehollow Controls Inc.',
);
