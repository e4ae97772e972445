import type { IDataObject, INode } from 'n8n-workflow';
import { CredentialStore, NodeTypes } from '../../engine';
import { startSandbox } from '../../sandbox/sandbox';
import type { Sandbox } from '../../sandbox/types';
import { loop } from '../workflow/fixtures';
import { built } from './built';
import { fastClock, replaceTiming, type FastClock } from '../fastClock';
import { faultRules } from './faultMix';
import type { CampaignOptions } from './options';
import { watchOutput, type OutputWatch } from './outputWatch';
import type { Targets } from './plan';
import { passOn } from './workflowFile';

/** Seconds of the fast clock per real second. */
const SPEED = 60;
/** Requests per minute of the fast clock that the service takes: fewer than the executions would send. */
const LIMIT = 120;
/** Prospector workflows that many operations run. */
const SHARED_TARGETS = 20;

/** The service, n8n's engine and the built package, all on a clock that runs fast. */
export interface Stage {
	seed: number;
	sandbox: Sandbox;
	clock: FastClock;
	targets: Targets;
	nodeTypes: NodeTypes;
	credentials: CredentialStore;
	/** What a node carries to name its credential. */
	reference: INode['credentials'];
	/** Further options of every Prospector node. */
	nodeOptions: IDataObject;
	/** What may be seen nowhere. */
	secrets: string[];
	output: OutputWatch;
	close(): Promise<void>;
}

/**
 * Starts all that a campaign needs. From here on, waits of the node take a fraction of their time, and nothing that
 * this process writes is shown.
 *
 * @param operations how many there will be at most
 */
export async function startStage({ seed, operations, nodeOptions = {} }: CampaignOptions): Promise<Stage> {
	// Read when n8n first logs: everything that it could possibly write.
	Object.assign(process.env, { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
	const clock = fastClock(SPEED);
	const sandbox = await startSandbox({
		clock: clock.now,
		seed: false,
		settings: { limit: LIMIT, faultSeed: seed, resultsPerRun: 1, journalSize: 10_000_000 },
	});
	const apiKey = sandbox.keys.full;
	const { workflows } = sandbox.control.seed({ workflows: SHARED_TARGETS + operations });
	for (const rule of faultRules(apiKey)) sandbox.control.addFault(rule);

	const { systemClock } = built<typeof import('../../nodes/Prospector/transport/retry/clock')>(
		'nodes/Prospector/transport/retry/clock.js',
	);
	const restoreTiming = replaceTiming(systemClock, clock.timing);
	const output = watchOutput([apiKey]);
	const nodeTypes = (await NodeTypes.load('.')).add('test.loop', loop).add('campaign.items', passOn);
	const credentials = new CredentialStore(nodeTypes);
	return {
		seed,
		sandbox,
		clock,
		targets: { shared: workflows.slice(0, SHARED_TARGETS), single: workflows.slice(SHARED_TARGETS) },
		nodeTypes,
		credentials,
		reference: await credentials.add('campaign', 'prospectorApi', { apiKey, baseUrl: sandbox.baseUrl }),
		nodeOptions,
		secrets: [apiKey],
		output,
		async close() {
			output.end();
			restoreTiming();
			await sandbox.close();
		},
	};
}
