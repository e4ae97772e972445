import type { IDataObject } from 'n8n-workflow';
import { closeAfterAll } from '../closeAfterAll';
import { startEnvironment, type Environment } from '../environment';
import { freePorts } from '../n8n/ports';
import { queueEnv, startRedis, startWorker } from '../n8n/queue';
import { atLeast, readTarget } from '../n8n/target';
import { activateMcpServer, callTool, connectClient, TOOL } from './server';

/** The default timeout of MCP clients. An answer that says 'running' was ready before it. */
const RUN_MS = 60_000;
const RESULTS = 3;

const { redis: redisProgram } = readTarget();
const MODES = ['regular mode', 'queue mode'] as const;
type Mode = (typeof MODES)[number];
const possibleModes = MODES.filter((mode) => mode === 'regular mode' || redisProgram !== undefined);

interface Server {
	e2e: Environment;
	client: Awaited<ReturnType<typeof connectClient>>;
	/** IDs of the Prospector workflows of a call and its continuation, and of two calls at once, with their answers. */
	continued: [workflowId: string, answers: Promise<IDataObject[][]>];
	atOnce: [workflowId: string, answers: Promise<IDataObject[][]>];
}

const describeIfSupported = atLeast('2.41') ? describe : describe.skip;
describeIfSupported('Run and Get Results behind MCP Server Trigger', () => {
	const closeLater = closeAfterAll();
	const servers = new Map<Mode, Server>();

	async function startMode(mode: Mode): Promise<Environment> {
		const settings = { resultsPerRun: RESULTS, runStatuses: ['running', 'completed'], runStageMs: RUN_MS };
		const [redisPort] = await freePorts(1);
		if (mode === 'queue mode') closeLater(await startRedis(redisProgram!, redisPort));
		const ownN8n = mode === 'queue mode' ? queueEnv(redisPort) : undefined;
		const e2e = closeLater(await startEnvironment({ settings, ownN8n }));
		if (mode === 'queue mode') closeLater(await startWorker(e2e.n8n));
		return e2e;
	}

	/** Starts the server of a mode and calls its tool. The tests await the answers. */
	async function startServer(mode: Mode): Promise<void> {
		const e2e = await startMode(mode);
		const client = closeLater(await connectClient(await activateMcpServer(e2e)));
		const [first, second] = e2e.control.seed({ workflows: 2 }).workflows;
		const call = async (Workflow: string, more: IDataObject = {}) =>
			await callTool(client, { Workflow, ...more });
		/** Calls the tool, and again as the note in its answer says. */
		async function callAndContinue(): Promise<IDataObject[][]> {
			const answer = await call(first);
			const [, name, value] = /call this tool again with (\w+) '([^']+)'/.exec(String(answer[0].note)) ?? [];
			return [answer, await call(first, { [name]: value })];
		}
		const continued = callAndContinue();
		const atOnce = Promise.all([call(second), call(second)]);
		// A test reports it.
		for (const answers of [continued, atOnce]) answers.catch(() => {});
		servers.set(mode, { e2e, client, continued: [first, continued], atOnce: [second, atOnce] });
	}

	beforeAll(async () => void (await Promise.all(possibleModes.map(startServer))));

	describe.each(MODES)('in %s', (mode) => {
		const testIfPossible = possibleModes.includes(mode) ? test : test.skip;
		let server: Server;
		beforeAll(() => void (server = servers.get(mode)!));

		const startsOf = (workflowId: string) =>
			server.e2e.requests('runWorkflow').filter(({ path }) => path.includes(workflowId));
		const runIdsOf = (workflowId: string) => server.e2e.runsOf(workflowId).map(({ id }) => id);

		testIfPossible('an MCP client lists Run_ID as an optional value with a description', async () => {
			const [{ name, inputSchema }] = (await server.client.listTools()).tools;
			expect(name).toBe(TOOL);
			expect(inputSchema).toMatchObject({ properties: { Workflow: {} }, required: ['Workflow'] });
			expect(inputSchema.properties.Run_ID).toEqual({
				type: 'string',
				description: 'The run_id of an earlier answer, to get its results. Leave it empty to start a run',
				default: '',
			});
		});

		testIfPossible(
			'an MCP client gets the ID of a run in less than 60 s, and with the ID the results of this run',
			async () => {
				const [workflowId, answers] = server.continued;
				const [open, finished] = await answers;
				expect(startsOf(workflowId)).toHaveLength(1);
				const [run_id] = runIdsOf(workflowId);
				const note = `Run '${run_id}' is 'running'. To get its results, call this tool again with Run_ID '${run_id}': no other run is started.`;
				expect(open).toEqual([{ run_id, run_outcome: 'open', note }]);
				const result = expect.objectContaining({ run_id, run_status: 'completed' }) as unknown;
				expect(finished).toEqual(Array(RESULTS).fill(result));
			},
		);

		testIfPossible('two calls with the same arguments start two runs', async () => {
			const [workflowId, answers] = server.atOnce;
			const answeredIds = (await answers).map(([{ run_id }]) => run_id);
			expect(new Set(answeredIds)).toEqual(new Set(runIdsOf(workflowId)));
			const keys = startsOf(workflowId).map(({ idempotencyKey }) => idempotencyKey);
			expect(keys).not.toContain(null);
			expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
		});
	});
});
