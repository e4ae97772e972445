import type { Target } from '../n8n/target';
import { installN8n, nodeFor } from './installation';
import { nameOf, type Pair } from './releases';
import type { Services } from './services';

/**
 * Installs the n8n of a pair, unless it is in the cache.
 *
 * @param packed the folder `nodes` with the packed package installed
 * @param services programs that tests need; nobody else does
 * @throws SetUpError where that does not succeed
 */
export function prepareTarget(
	pair: Pair,
	packed: string,
	say: (line: string) => void,
	services?: Services,
): Target {
	say(`\nn8n ${nameOf(pair)} …`);
	const installation = installN8n(pair.release);
	const { version, bin, compileCache, tookSeconds } = installation;
	say(
		tookSeconds === 'cached'
			? `n8n ${version} is in the cache.`
			: `n8n ${version} installed in ${Math.round(tookSeconds)} s.`,
	);
	return {
		release: pair.release,
		version,
		nodeMajor: pair.node,
		scheduler: pair.scheduler,
		node: nodeFor(installation, pair),
		bin,
		compileCache,
		packed,
		redis: services?.redis.program,
		chromium: services?.chromium.program,
	};
}
