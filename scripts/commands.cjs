// The commands of package.json and the tools: what each needs, executes and prints with `--help`. A fresh clone must be
// able to read this file, so it is plain JavaScript without imports.

/** Folders, besides the root, whose packages a command needs. */
const E2E = ['test/e2e'];
const ALL = ['test/e2e', 'tools'];
const N8N_NODES = ['test/n8n', 'test/compat/n8n1'];

/** @type {Record<string, import('./commands.cjs').Command>} */
const COMMANDS = {
	start: {
		purpose: 'runs Run and Get Results against a sandbox, and prints the leads',
		file: 'scripts/demo/main.ts',
		builds: true,
		usage: `With PROSPECTOR_BASE_URL and PROSPECTOR_API_KEY it uses your service and STARTS A REAL RUN of the first Prospector workflow
listed, or of the one that PROSPECTOR_WORKFLOW_ID names.

Exit codes: 0 if there are leads, 1 if the set-up fails, 2 if only one of the two variables is set, 3 if a node fails, 4 if
the run has no results, 130 if you stop it.`,
	},
	dev: {
		purpose: 'n8n with the package, compiled into it on every change, and the sandbox',
		file: 'tools/editor/main.ts',
		args: ['--dev'],
		folders: E2E,
		builds: true,
		usage: `Takes the options of npm run editor.`,
	},
	editor: {
		purpose: 'n8n with the package, the sandbox, credentials and all templates',
		file: 'tools/editor/main.ts',
		folders: E2E,
		builds: true,
		usage: `n8n listens on 127.0.0.1 until Ctrl+C. Its data is deleted then, unless the environment variable E2E_KEEP is set.

  --port N        n8n's port (default 5678, or the next free one)
  --n8n RELEASE   2.41 (default) or 1.123
  --node MAJOR    on this Node.js (2.41: 24; 1.123: 20, 22, 24)
  --dev           compile changed sources into n8n, which reloads them (npm run dev)`,
	},
	sandbox: {
		purpose: 'the sandbox alone at http://127.0.0.1:4010, with ready-made API keys',
		file: 'sandbox/cli.ts',
		usage: `  --port N          port (default 4010; 0 picks a free one)
  --limit N         requests per key and minute (default 600)
  --statuses a,b,c  statuses of a run, in order (default queued,running,completed)
  --stage-ms N      milliseconds in each status except the last (default 1500)
  --order O         order of lists: newest (default), oldest, shuffled or random
  --page-size N     items per page unless the client sets a size (default 50)`,
	},
	'test:quick': {
		purpose: 'the fast unit tests, in about a minute on an idle machine',
		file: 'scripts/test.mjs',
		args: ['--quick'],
		builds: true,
		usage: `Further options go to Jest, such as a part of the path of test files.`,
	},
	test: {
		purpose: 'all tests but the long ones; -- workflow/waiting for files with this in a path',
		file: 'scripts/test.mjs',
		folders: N8N_NODES,
		builds: true,
		usage: `Options go to Jest, such as --selectProjects unit tools sandbox workflow oldest agent examples simulator package
demo long, or -t with a part of a title.`,
	},
	'test:e2e': {
		purpose: 'the packed package in a whole n8n; -- --all in every tested n8n and Node.js',
		file: 'test/e2e/main.ts',
		folders: E2E,
		builds: true,
		usage: `Without options, in n8n 2.41 on Node.js 24. Parts of file names select tests: -- --n8n 1.123 rest/credential

  --n8n RELEASE     in this release (2.41, 1.123)
  --node MAJOR      on this Node.js (2.41: 24; 1.123: 20, 22, 24)
  --scheduler NAME  with this scheduler of n8n (classic, durable); with the durable one, only tests of the trigger
  --all             in every n8n above that matches, also long tests and canaries, and compare the compatibility table
  --record          also long tests and canaries, then write the compatibility table

With the environment variable E2E_SLOW, the browser and n8n's responses to it are slow.`,
	},
	simulate: {
		purpose: '2,000 random histories of the trigger in virtual time',
		file: 'tools/simulate/main.ts',
		builds: true,
		usage: `Plays the stored and then random histories of the service, n8n and a Prospector Trigger, and checks what the trigger
emits. Prints the first violation as a readable history, and how often each behaviour occurred.

  --seed N         determines the histories (default: a new one each time)
  --histories N    number of histories (default 2000; fewer than 600 may not contain each behaviour)
  --event NAME     newResult, newRun, runFinished, returnedRun, runFailed or runStatusChanged (default: all)
  --without-rules  removes each rule in tools/simulate/rules.ts from a copy of the trigger, and plays histories until
                   one notices that the rule is missing, at most N per rule (default 300)
  --rule TEXT      with --without-rules: removes only the rules with this text in their names

Exit codes: 0 if all checks passed, 1 if one failed, if a behaviour never occurred or if a missing rule was not noticed,
2 if the command is invalid.`,
	},
	lint: {
		purpose: "n8n's rules and our own, directions of imports, links of the documentation",
		file: 'scripts/lint.mjs',
		folders: ALL,
	},
	typecheck: {
		purpose: 'types of everything, also of tests and tools',
		file: 'node_modules/typescript/bin/tsc',
		args: ['-p', 'test/tsconfig.json'],
		folders: ALL,
	},
	format: {
		purpose: 'Prettier; -- --check only lists what it would change',
		file: 'node_modules/prettier/bin/prettier.cjs',
		args: ['.'],
		defaultArgs: ['--write'],
	},
	build: { purpose: 'builds the package into dist/', builds: true },
	tool: {
		purpose: 'what is needed less often: one of the tools below, or their list',
	},
};

/** @type {Record<string, import('./commands.cjs').Command>} */
const TOOLS = {
	bench: {
		purpose: "compares with HTTP Request in a whole n8n, with n8n's HTTP helper, and JSON.parse",
		file: 'tools/bench/main.ts',
		folders: [...E2E, 'test/n8n'],
		builds: true,
		usage: `  --scenario S  only this one; can be repeated (default all):
                reader  the reader of JSON responses alone, beside JSON.parse
                paged   a list in n8n's engine, beside n8n's HTTP helper, with pages of 1,000 and of 100
                n8n     a list in a whole n8n, beside HTTP Request with Pagination and Split Out
                reads   single reads in a whole n8n, beside HTTP Request
  --rounds N    measurements of each contender (default 5)
  --results N   results of the list; the number of single reads is a hundredth (default 100000)
  --record      write docs/benchmark.json and its section in docs/engineering.md; not with the options above`,
	},
	campaign: {
		purpose: 'thousands of random n8n workflows with failures and kills; 110 kinds of rate limits',
		file: 'test/campaign/main.ts',
		builds: true,
		usage: `Executes random n8n workflows in n8n's own engine while requests fail and executions are stopped, killed and retried, and
checks that each call took effect exactly once. Then reads at 110 kinds of rate limits in virtual time, with eight seeds.

  --seed N         determines the n8n workflows (default: a new one each time)
  --workflows N    number of n8n workflows, and again of those whose values change between retries (default 2000)
  --limits-seed N  determines the work at the rate limits (default: a new one each time)

Exit codes: 0 if all checks passed, 1 if not.`,
	},
	coverage: {
		purpose: 'checks that tests cover 95 % of the code',
		file: 'scripts/test.mjs',
		args: ['--selectProjects', 'unit', 'simulator', 'workflow', '--coverage'],
		builds: true,
	},
	kills: {
		purpose: "kills n8n at each point of a poll and counts the trigger's items in PostgreSQL",
		file: 'tools/kills/main.ts',
		folders: E2E,
		builds: true,
		usage: `Compares the counts with the table in docs/n8n-behaviour.md.

  --kills N    with each scheduler, with durable cursors on and off (default 50)
  --record     write the table and docs/kills.json`,
	},
	long: {
		purpose: 'tests that take minutes: costs and scale of the trigger, hostile texts of 1 MB',
		file: 'scripts/test.mjs',
		args: ['--selectProjects', 'long'],
		builds: true,
		usage: `Further options go to Jest.`,
	},
	mutation: {
		purpose: 'mutates a folder of nodes/Prospector and records which changes no test detects',
		file: 'scripts/mutation.mjs',
		folders: ['tools'],
		builds: true,
		usage: `The first argument is the folder: actions, api, messages, methods, parameters, transport or trigger. Runs the unit tests for
each mutant of the built code, and writes the result to docs/engineering.md.

  --force     measures everything (default: what has changed)
  --sample N  mutates one in N functions

Other options go to Stryker. With --mutate, docs/engineering.md stays as it is.`,
	},
	'newest-n8n': {
		purpose: 'makes the tests of a whole n8n use the newest n8n on npm, or the given version',
		file: 'scripts/newestN8n.ts',
		folders: E2E,
		usage: `Writes package.json and the lock file of test/e2e/n8n-2.41.`,
	},
	release: {
		purpose: 'the steps of the workflow Publish: prepare FOLDER, and scan',
		file: 'scripts/release/main.ts',
		folders: ALL,
		builds: true,
		usage: `  prepare FOLDER [TAG]  writes the tarball, its bills of materials and the notes of the release into a folder
  scan                  waits until npm has the version of package.json, and scans it`,
	},
	scaling: {
		purpose: 'measures n8n in queue mode with 1 to 8 workers, or while executions wait',
		file: 'tools/scaling/main.ts',
		folders: E2E,
		builds: true,
		usage: `Measures 1, 2, 4 and 8 workers on one API key and on eight, with a limit of 60 requests per minute and a concurrency of 2,
and once of 5. Takes about an hour.

  --only workers/keys[/concurrency]  measures one of these, such as 8/1/5
  --waiting                          measures what a worker uses while 0, 10 and 20 executions wait, in about six minutes
  --record                           writes docs/scaling.json`,
	},
	screenshots: {
		purpose: 'retakes the pictures and the animation of README and docs',
		file: 'tools/pictures/main.ts',
		folders: ALL,
		builds: true,
	},
	soak: {
		purpose: 'a week in an hour in a whole n8n with PostgreSQL',
		file: 'tools/soak/main.ts',
		folders: E2E,
		builds: true,
		usage: `n8n, PostgreSQL and the sandbox, whose clock is 168 times faster, work together while much goes wrong. Then the data is
compared.

  --minutes N  how long (default 60)
  --record     write the figures to docs/reliability.json

Exit codes: 0 if every promise was kept, 1 if not, 2 if the command is invalid.`,
	},
	verify: {
		purpose: "n8n's own checks: rules for n8n Cloud, the same package from n8n's build, the scan",
		file: 'scripts/verify.ts',
		folders: ALL,
		builds: true,
	},
};

/** The line that executes a command or tool. */
const lineOf = (name) => {
	if (name in TOOLS) return `npm run tool -- ${name}`;
	return name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
};

const list = (entries) =>
	Object.entries(entries)
		.map(([name, { purpose }]) => `  ${name.padEnd(12)} ${purpose}`)
		.join('\n');

/** Returns what a command or tool prints with `--help`. */
function usageOf(name) {
	const { purpose, usage } = COMMANDS[name] ?? TOOLS[name];
	const details = name === 'tool' ? list(TOOLS) : usage;
	return [`${lineOf(name)}: ${purpose}`, details].filter(Boolean).join('\n\n');
}

module.exports = { COMMANDS, TOOLS, lineOf, usageOf };
