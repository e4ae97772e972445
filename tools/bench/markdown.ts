import { inMilliseconds, type Figures } from './figures';
import { inMarkdown, loadRows, scenarioRows, targetRows } from './tables';
import { engineCost } from './targets';

/** Returns the page of the documentation. */
export function markdown(figures: Figures): string {
	const { date, environment: env, rounds, scenarios, load } = figures;
	const cost = engineCost(figures);
	return `<!-- Written by \`npm run bench\` from benchmark.json: changes made by hand are lost. -->

# Benchmark

This node, n8n's HTTP Request node and a bare loop with undici read the same from the sandbox. Measured on
${date}, Node.js ${env.node}, ${env.cpus} CPUs, ${env.platform}; n8n-nodes-prospector ${env.package}, n8n-core
${env.n8nCore}, n8n-nodes-base ${env.n8nNodesBase}, undici ${env.undici}.

![Bar chart of the figures below](benchmark.svg)

## Targets

${inMarkdown(targetRows(figures))}

${reasons(figures)}

## Figures

Medians of ${rounds} rounds, and in brackets from where to where they went.

${scenarios.map((scenario) => `### ${scenario.title}\n\n${inMarkdown(scenarioRows(scenario))}`).join('\n\n')}

${cost === undefined ? '' : COST(inMilliseconds(cost))}

${load ? `### Loading\n\n${LOADING(load.loads)}\n\n${inMarkdown(loadRows(load))}` : ''}

${METHOD}
`;
}

/** Why targets are not stricter. */
const reasons = ({ targets }: Pick<Figures, 'targets'>) =>
	targets.flatMap(({ target, reason }) => (reason ? [`- _${target}_: ${reason}`] : [])).join('\n');

const COST = (
	cost: string,
) => `**The engine's own cost** is ${cost} per request in the paged read: what n8n's HTTP
helper takes beyond undici. No node that sends through n8n's helper can do without it.`;

const LOADING = (loads: number) => `\`require\` of the files that the package names to n8n, in ${loads} fresh
processes, n8n-workflow being loaded as it is in n8n.`;

const METHOD = `## What is compared, and how

- **This node**: the built package, executed by n8n's engine (n8n-core) from a workflow of one node.
- **HTTP Request**: n8n's own node, same engine, same credential (_Predefined Credential Type_). Lists are read with
  its option _Pagination_ (a query parameter from \`next_cursor\`, until \`has_more\` is false) and split into items by
  a Split Out node; \`request_id\` is lost on the way, which is cheaper for it. _N per M s_ is its option _Batching_.
- **n8n's HTTP helper alone**: a node that calls n8n's HTTP helper, with the credential handed over, and puts out
  what it got. It checks nothing and repeats nothing. It shows what n8n itself costs.
- **undici**: a loop without n8n, on kept-alive connections. The floor.

Each contender works in a fresh process in each round, and contenders take turns in beginning. The sandbox has a
process of its own. The time is that of the execution alone, without starting and loading n8n. What a contender
returned is counted: every item must be there once, or be a failed one. Requests and rejections (429) come from the
sandbox's journal.

Memory is resident memory: _loaded_ before the execution, and the _peak_ while it lasts. _Growth_ is the difference;
n8n's process has some room left from loading, so it is comparable between contenders in n8n only. _Output_ is what
the heap keeps: the results themselves, which n8n holds until the execution ends.

The rolling limit is counted in real minutes. The optimum sends all that the limit allows at once, and the same again
whenever a minute has passed. Every contender has an API key, and with it a limit, of its own. _On Error_ is
_Continue_ there, so that refused items are counted. undici, and HTTP Request with Batching, were told the limit,
which the service does not tell. Many services choose a limit of 60; others can be tried with \`--limit\`.

## Repeat it

\`\`\`bash
npm run bench                                            # all of it: about 15 minutes, and 530 MB for n8n's nodes
npm run bench -- --scenario paged --rounds 1 --results 20000   # a quick trial; leaves these pages alone
npm run bench -- --help
\`\`\``;
