import { startFastEnvironment } from '../workflow/environment';
import { loopNode, startNode } from '../workflow/fixtures';
import type { CampaignOptions } from './campaign';
import { faultRules } from './faultMix';

/** Seconds of the fast clock per real second. */
const SPEED = 60;
/** Requests per minute of the fast clock: fewer than the executions would send without a limit. */
const LIMIT = 120;
/** Number of Prospector workflows that many operations run. */
const SHARED_TARGETS = 20;

/** Starts the service, with all faults, and n8n's engine with the built package, both on a fast clock. */
export async function startEnvironment({ seed, operations, faults = [] }: CampaignOptions) {
	const settings = {
		limit: LIMIT,
		faultSeed: seed,
		resultsPerRun: 1,
		runStageMs: 1500,
		journalSize: 10_000_000,
	};
	const environment = await startFastEnvironment(settings, SPEED);
	const { control, nodeTypes, sandbox } = environment;
	const apiKey = sandbox.keys.full;
	const { workflows } = control.seed({ workflows: SHARED_TARGETS + operations });
	for (const rule of [...faults, ...faultRules(apiKey)]) control.addFault(rule);
	nodeTypes.add('test.loop', loopNode).add('test.start', startNode);
	// Real time, which the fast clock does not shorten: short, but enough for a busy machine.
	await environment.addCredential('full', { showAdvanced: true, requestTimeout: 4 });
	return {
		...environment,
		seed,
		apiKey,
		sharedTargets: workflows.slice(0, SHARED_TARGETS),
		singleTargets: workflows.slice(SHARED_TARGETS),
	};
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
