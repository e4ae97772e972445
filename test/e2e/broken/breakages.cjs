// Ways to break the package, which `npm run test:e2e -- --broken` copies into it. Each completes "The node …", names the
// test file that must detect it, and changes what the nodes exchange with n8n.
exports.BREAKAGES = [
	{
		what: 'sends the same idempotency key for all items',
		file: 'exactlyOnce/regular',
		request: ({ headers = {} }, memory) => {
			memory.key ??= headers['Idempotency-Key'];
			if (memory.key !== undefined) headers['Idempotency-Key'] = memory.key;
		},
	},
	{
		what: 'emits items again',
		file: 'trigger/restart',
		// Later polls get a copy of the first state.
		staticData: (state) => (Object.keys(state).length > 0 ? structuredClone(state) : state),
	},
	{
		what: 'does not output the request ID',
		file: 'rest/operations',
		item: ({ json }) => delete json.request_id,
	},
];

/** Returns a node class that behaves like another one, except for a breakage. */
exports.breakNode = (Original, { request, staticData = (state) => state, item }) =>
	class {
		constructor() {
			const node = new Original();
			for (const name of ['execute', 'poll'].filter((method) => method in node)) {
				const call = node[name];
				node[name] = async function () {
					const { helpers } = this;
					const send = helpers.httpRequestWithAuthentication;
					const memory = {};
					const output = await call.apply(
						Object.assign(Object.create(this), {
							getWorkflowStaticData: (type) => staticData(this.getWorkflowStaticData(type)),
							helpers: Object.assign(Object.create(helpers), {
								httpRequestWithAuthentication(type, options) {
									request?.(options, memory);
									return send.call(this, type, options);
								},
							}),
						}),
					);
					if (item) output?.flat().forEach(item);
					return output;
				};
			}
			return node;
		}
	};
