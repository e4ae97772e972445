// Which module may import which (`npm run lint`). Imports of types count.
const NODES = '^nodes/Prospector';
const layer = (name) => `${NODES}/${name}/`;
const UTILS = `${NODES}/(utils|codec)\\.ts$`;

/** From the node's entry points to its foundation. Each layer may import itself and all layers after it. */
const LAYERS = [
	[`${NODES}/[^/]+\\.node\\.ts$`],
	[layer('actions'), layer('methods'), layer('trigger')],
	[`${NODES}/openClient\\.ts$`],
	[layer('parameters')],
	[layer('messages')],
	[layer('transport')],
	[layer('api')],
	[layer('model')],
	[UTILS],
];

const folder = (name) => `${layer('transport')}${name}/`;
/** In transport/, too. */
const TRANSPORT_FOLDERS = [[folder('request')], [folder('retry')], [folder('rate')]];

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Returns a rule per module: it imports none of its own layer's other modules and nothing of the layers before. */
const forbidBackwards = (name, comment, layers) =>
	layers
		.flatMap((modules, index) =>
			modules.map((module) => {
				const siblings = modules.filter((other) => other !== module);
				const path = [...layers.slice(0, index).flat(), ...siblings];
				return forbid(name, comment, { path: module }, { path });
			}),
		)
		.filter(({ to }) => to.path.length > 0);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		forbid('no-cycles', 'Modules that import each other are one module.', {}, { circular: true }),
		...forbidBackwards(
			'import-direction',
			'Imports go node → actions, methods, trigger → openClient → parameters → messages → transport → api → model → utils.',
			LAYERS,
		),
		...forbidBackwards(
			'transport-direction',
			'Imports in transport/ go request → retry → rate.',
			TRANSPORT_FOLDERS,
		),
		forbid(
			'every-file-has-a-layer',
			'A file outside the layers could import in any direction.',
			{ path: NODES },
			{ path: NODES, pathNot: LAYERS.flat() },
		),
		forbid(
			'resources-are-independent',
			'Resources share code through the files directly in actions/.',
			{ path: `${layer('actions')}([^/]+)/` },
			{ path: `${layer('actions')}[^/]+/`, pathNot: `${layer('actions')}$1/` },
		),
		forbid(
			'sandbox-is-independent',
			'The sandbox must not repeat the faults of the node that it tests.',
			{ path: '^sandbox/' },
			{ path: '^nodes/' },
		),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
