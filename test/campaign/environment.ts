import { CredentialStore, NodeTypes } from '../../scripts/engine';
import { startSandbox } from '../../sandbox/sandbox';
import { fastClock } from '../fastClock';
import { useOwnClock } from '../ownClock';
import { loopNode } from '../workflow/fixtures';
import type { CampaignOptions } from './campaign';
import { faultRules } from './faultMix';
import { itemsNode } from './workflowFile';

/** Seconds of the fast clock per real second. */
const SPEED = 60;
/** Requests per minute of the fast clock: fewer than the executions would send without a limit. */
const LIMIT = 120;
/** Number of Prospector workflows that many operations run. */
const SHARED_TARGETS = 20;

/** Starts the service and n8n's engine with the built package, both on a fast clock. */
export async function startEnvironment({ seed, operations, faults = [] }: CampaignOptions) {
	const clock = fastClock(SPEED);
	const sandbox = await startSandbox({
		clock: clock.now,
		seed: false,
		settings: { limit: LIMIT, faultSeed: seed, resultsPerRun: 1, journalSize: 10_000_000 },
	});
	const apiKey = sandbox.keys.full;
	const { workflows } = sandbox.control.seed({ workflows: SHARED_TARGETS + operations });
	for (const rule of [...faults, ...faultRules(apiKey)]) sandbox.control.addFault(rule);

	const nodeTypes = (await NodeTypes.load('.')).add('test.loop', loopNode).add('campaign.items', itemsNode);
	useOwnClock(nodeTypes, clock.timing, clock.now);
	const credentials = new CredentialStore(nodeTypes);
	return {
		seed,
		sandbox,
		clock,
		apiKey,
		sharedTargets: workflows.slice(0, SHARED_TARGETS),
		singleTargets: workflows.slice(SHARED_TARGETS),
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
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
