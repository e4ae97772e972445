import { panelsFor, type Bar, type Panel } from './chartPanels';
import type { Figures } from './figures';

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

// It brings its own ground: a page is not always as light or dark as the system says.
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

/** The figures as bars: shorter is better. */
export function chart(figures: Figures): string {
	const panels = panelsFor(figures);
	const heights = panels.map(heightOf);
	const height = HEAD + heights.reduce((sum, panel) => sum + panel + PANEL_GAP, 0);
	const drawn = panels.map((panel, index) =>
		drawPanel(panel, HEAD + heights.slice(0, index).reduce((sum, above) => sum + above + PANEL_GAP, 0)),
	);
	const { environment, rounds } = figures;
	const note = `Medians of ${rounds} rounds, Node.js ${environment.node}, ${environment.cpus} CPUs. Shorter is better; × is relative to this node.`;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Benchmark: this node, HTTP Request and undici">
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="34">This node, n8n’s HTTP Request node, and what is possible</text>
<text class="note" x="${MARGIN}" y="54">${escaped(note)}</text>
${drawn.join('\n')}
</svg>
`;
}

const heightOf = ({ bars }: Panel) => PANEL_HEAD + bars.length * ROW;

function drawPanel({ title, note, bars, mark }: Panel, top: number): string {
	const longest = Math.max(...bars.map(({ value }) => value), mark?.value ?? 0);
	const scale = (value: number) => (longest > 0 ? (value / longest) * BARS : 0);
	const left = MARGIN + LABEL;
	const bottom = top + heightOf({ title, bars });
	const lines = [
		`<text class="panel" x="${MARGIN}" y="${top + 20}">${escaped(title)}</text>`,
		...(note
			? [`<text class="note" x="${WIDTH - MARGIN}" y="${top + 20}" text-anchor="end">${escaped(note)}</text>`]
			: []),
		...bars.map((bar, index) => drawBar(bar, top + PANEL_HEAD + index * ROW - 8, left, scale)),
	];
	if (mark) {
		const x = (left + scale(mark.value)).toFixed(1);
		lines.push(`<line class="mark" x1="${x}" x2="${x}" y1="${top + PANEL_HEAD - 12}" y2="${bottom - 10}"/>`);
	}
	return lines.join('\n');
}

function drawBar(
	{ label, value, text, kind }: Bar,
	y: number,
	left: number,
	scale: (value: number) => number,
) {
	const width = Math.max(scale(value), value > 0 ? 1.5 : 0).toFixed(1);
	const baseline = y + BAR_HEIGHT - 3;
	return `<g class="${kind}">
<text x="${left - 10}" y="${baseline}" text-anchor="end">${escaped(label)}</text>
<rect class="bar" x="${left}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>
<text class="value" x="${left + BARS + 12}" y="${baseline}">${escaped(text)}</text>
</g>`;
}

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
