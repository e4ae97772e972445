import { contenderOf, type ContenderFigures, type Figures, type ScenarioFigures } from './figures';
import { asRatio, inMebibytes, inSeconds } from './units';

export interface Bar {
	label: string;
	value: number;
	/** What stands beside it. */
	text: string;
	/** This node, another contender, or one that did not do all its work. */
	kind: 'own' | 'other' | 'bad';
}

export interface Panel {
	title: string;
	note?: string;
	bars: Bar[];
	/** A line across all bars. */
	mark?: { value: number };
}

type Figure = (of: ContenderFigures | undefined) => number | undefined;

/** What the chart shows: one panel per scenario, and one for the memory of the paged read. */
export function panelsFor({ scenarios }: Pick<Figures, 'scenarios'>): Panel[] {
	return scenarios.flatMap((scenario) => {
		const time = panel(scenario, `${scenario.title}: time`, (of) => of?.milliseconds?.median, inSeconds);
		if (scenario.optimumMs) {
			const mark = { value: scenario.optimumMs };
			return [{ ...time, mark, note: `dashed: ${inSeconds(mark.value)}, the least that the limit allows` }];
		}
		if (scenario.name !== 'paged') return [time];
		const title = `${scenario.title}: memory, beyond what is loaded`;
		// Growth is comparable within n8n only, whose process has room left from loading.
		const inN8n = scenario.contenders.filter(({ name }) => name !== scenario.floor);
		const growth: Figure = (of) => of?.memory?.growth.median;
		return [time, panel({ ...scenario, contenders: inN8n }, title, growth, inMebibytes)];
	});
}

function panel(
	scenario: ScenarioFigures,
	title: string,
	figure: Figure,
	inUnit: (value: number) => string,
): Panel {
	const own = figure(contenderOf(scenario, 'node'));
	return { title, bars: scenario.contenders.map((contender) => bar(contender, figure, own, inUnit)) };
}

function bar(
	contender: ContenderFigures,
	figure: Figure,
	own: number | undefined,
	inUnit: (value: number) => string,
): Bar {
	const { name, label, failures, failedItems } = contender;
	const value = figure(contender);
	const shortcoming =
		failures.length > 0
			? `FAILED ${failures.length}×`
			: failedItems && failedItems.median > 0 && `${failedItems.median} items failed`;
	const parts =
		value === undefined ? [] : [inUnit(value), ...(own && !shortcoming ? [asRatio(value / own)] : [])];
	return {
		label,
		value: value ?? 0,
		text: [...parts, ...(shortcoming ? [shortcoming] : [])].join(' · '),
		kind: shortcoming ? 'bad' : name === 'node' ? 'own' : 'other',
	};
}
