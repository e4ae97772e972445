import { CredentialStore, NodeTypes } from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import { fastClock } from '../fastClock';
import { useOwnClock } from '../ownClock';
import { loop } from '../workflow/fixtures';
import type { CampaignOptions } from './campaign';
import { faultRules } from './faultMix';
import { watchOutput } from './outputWatch';
import { itemsNode } from './workflowFile';

/** Seconds of the fast clock per real second. */
const SPEED = 60;
/** Requests per minute of the fast clock: fewer than the executions would send without a limit. */
const LIMIT = 120;
/** Number of Prospector workflows that many operations run. */
const SHARED_TARGETS = 20;

/**
 * Starts the service and n8n's engine with the built package, both on a fast clock. Until `close()`, nothing that this
 * process writes is shown.
 */
export async function startEnvironment({ seed, operations, nodeOptions = {}, faults = [] }: CampaignOptions) {
	// n8n reads them when it logs for the first time: everything that it can log is watched.
	Object.assign(process.env, { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
	const clock = fastClock(SPEED);
	const sandbox = await startSandbox({
		clock: clock.now,
		seed: false,
		settings: { limit: LIMIT, faultSeed: seed, resultsPerRun: 1, journalSize: 10_000_000 },
	});
	const apiKey = sandbox.keys.full;
	const { workflows } = sandbox.control.seed({ workflows: SHARED_TARGETS + operations });
	for (const rule of [...faults, ...faultRules(apiKey)]) sandbox.control.addFault(rule);

	const output = watchOutput([apiKey]);
	const nodeTypes = (await NodeTypes.load('.')).add('test.loop', loop).add('campaign.items', itemsNode);
	useOwnClock(nodeTypes, clock.timing, clock.now);
	const credentials = new CredentialStore(nodeTypes);
	return {
		seed,
		sandbox,
		clock,
		targets: { shared: workflows.slice(0, SHARED_TARGETS), single: workflows.slice(SHARED_TARGETS) },
		nodeTypes,
		credentials,
		/** The credential, as a node refers to it. */
		reference: await credentials.add('campaign', 'prospectorApi', {
			apiKey,
			baseUrl: sandbox.baseUrl,
			showAdvanced: true,
			// Real time, which the fast clock does not shorten: short, but enough for a busy machine.
			requestTimeout: 4,
		}),
		nodeOptions,
		/** Texts that must appear nowhere. */
		secrets: [apiKey],
		output,
		async close() {
			output.end();
			await sandbox.close();
		},
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
