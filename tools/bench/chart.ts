import {
	asRatio,
	contenderOf,
	inMebibytes,
	inSeconds,
	type ContenderFigures,
	type Figures,
	type ScenarioFigures,
} from './figures';

interface Panel {
	title: string;
	note?: string;
	bars: Array<{ label: string; value: number; text: string; kind: 'own' | 'other' | 'bad' }>;
	/** Value of a line across all bars. */
	mark?: number;
}

const WIDTH = 860;
const MARGIN = 24;
const LABEL = 262;
const VALUE = 190;
const ROW = 26;
const BAR_HEIGHT = 16;
const PANEL_HEAD = 44;
const PANEL_GAP = 8;
const HEAD = 64;
const BARS = WIDTH - 2 * MARGIN - LABEL - VALUE;

// The chart has its own background, because a page can be light while the system is dark.
const STYLE = `
	svg { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; }
	.ground { fill: #ffffff; stroke: #d0d7de; }
	text { fill: #1f2328; }
	.title { font-size: 18px; font-weight: 600; }
	.panel { font-size: 14px; font-weight: 600; }
	.note { fill: #59636e; font-size: 12px; }
	.own text, .own { font-weight: 600; }
	.bar { fill: #9aa4af; }
	.own .bar { fill: #2f6feb; }
	.bad .bar { fill: #d1602c; }
	.bad .value { fill: #b3471a; }
	.mark { stroke: #1f2328; stroke-dasharray: 3 3; }
	@media (prefers-color-scheme: dark) {
		.ground { fill: #0d1117; stroke: #3d444d; }
		text { fill: #e6edf3; }
		.note { fill: #9198a1; }
		.bar { fill: #656c76; }
		.own .bar { fill: #4c8dff; }
		.bad .bar { fill: #e0743f; }
		.bad .value { fill: #f0986a; }
		.mark { stroke: #e6edf3; }
	}
`;

/** Draws the figures as bars. */
export function chart({ environment, rounds, scenarios }: Figures): string {
	let height = HEAD;
	const panels = scenarios.flatMap(panelsOf).map((panel) => {
		const drawn = drawPanel(panel, height);
		height += heightOf(panel) + PANEL_GAP;
		return drawn;
	});
	const note = `Medians of ${rounds} rounds, Node.js ${environment.node}, ${environment.cpus} CPUs. Shorter is better; × is relative to this node.`;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Benchmark: this node, HTTP Request and undici">
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="34">This node, n8n’s HTTP Request node, and what is possible</text>
<text class="note" x="${MARGIN}" y="54">${escaped(note)}</text>
${panels.join('\n')}
</svg>
`;
}

/** Returns a panel with the times of a scenario, and one with the memory of the paged read. */
function panelsOf(scenario: ScenarioFigures): Panel[] {
	const { name, title, floor, optimumMs, contenders } = scenario;
	const bars = barsOf(scenario, (of) => of?.milliseconds?.median, inSeconds);
	const time: Panel = { title: `${title}: time`, bars };
	if (optimumMs) {
		const note = `dashed: ${inSeconds(optimumMs)}, the least that the limit allows`;
		return [{ ...time, mark: optimumMs, note }];
	}
	if (name !== 'paged') return [time];
	// Growth is only comparable within n8n, whose process has room left from loading.
	const inN8n = { ...scenario, contenders: contenders.filter((contender) => contender.name !== floor) };
	const memory = barsOf(inN8n, (of) => of?.memory?.growth.median, inMebibytes);
	return [time, { title: `${title}: memory, beyond what is loaded`, bars: memory }];
}

function barsOf(
	scenario: ScenarioFigures,
	figure: (of: ContenderFigures | undefined) => number | undefined,
	format: (value: number) => string,
): Panel['bars'] {
	const own = figure(contenderOf(scenario, 'node'));
	return scenario.contenders.map((contender) => {
		const { name, label, failures, failedItems } = contender;
		const value = figure(contender);
		const failed = failures.length > 0 && `FAILED ${failures.length}×`;
		const defect = failed || (failedItems && failedItems.median > 0 && `${failedItems.median} items failed`);
		const ratio = value && own && !defect && asRatio(value / own);
		return {
			label,
			value: value ?? 0,
			text: [value !== undefined && format(value), ratio, defect].filter(Boolean).join(' · '),
			kind: defect ? 'bad' : name === 'node' ? 'own' : 'other',
		};
	});
}

const heightOf = ({ bars }: Panel) => PANEL_HEAD + bars.length * ROW;

function drawPanel(panel: Panel, top: number): string {
	const { title, note, bars, mark } = panel;
	const longest = Math.max(...bars.map(({ value }) => value), mark ?? 0);
	const scale = (value: number) => (longest > 0 ? (value / longest) * BARS : 0);
	const left = MARGIN + LABEL;
	const lines = [`<text class="panel" x="${MARGIN}" y="${top + 20}">${escaped(title)}</text>`];
	if (note) {
		const right = `x="${WIDTH - MARGIN}" y="${top + 20}" text-anchor="end"`;
		lines.push(`<text class="note" ${right}>${escaped(note)}</text>`);
	}
	bars.forEach(({ label, value, text, kind }, index) => {
		const y = top + PANEL_HEAD + index * ROW - 8;
		const width = Math.max(scale(value), value > 0 ? 1.5 : 0).toFixed(1);
		const baseline = y + BAR_HEIGHT - 3;
		lines.push(`<g class="${kind}">
<text x="${left - 10}" y="${baseline}" text-anchor="end">${escaped(label)}</text>
<rect class="bar" x="${left}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>
<text class="value" x="${left + BARS + 12}" y="${baseline}">${escaped(text)}</text>
</g>`);
	});
	if (mark !== undefined) {
		const x = (left + scale(mark)).toFixed(1);
		const [y1, y2] = [top + PANEL_HEAD - 12, top + heightOf(panel) - 10];
		lines.push(`<line class="mark" x1="${x}" x2="${x}" y1="${y1}" y2="${y2}"/>`);
	}
	return lines.join('\n');
}

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
