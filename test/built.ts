// Parts of the built package for code that also runs outside of Jest, or with another build.
import { fromDist } from './fromDist';

export const { Prospector } = fromDist<typeof import('../nodes/Prospector/Prospector.node')>(
	'nodes/Prospector/Prospector.node.js',
);
export const { ProspectorTrigger } = fromDist<typeof import('../nodes/Prospector/ProspectorTrigger.node')>(
	'nodes/Prospector/ProspectorTrigger.node.js',
);
export const { RateLimiterRegistry } = fromDist<typeof import('../nodes/Prospector/transport/dependencies')>(
	'nodes/Prospector/transport/dependencies.js',
);
export const { Turns } = fromDist<typeof import('../nodes/Prospector/transport/turns')>(
	'nodes/Prospector/transport/turns.js',
);
