// n8n-workflow, loaded in parts: Jest loads it again for each mutant, and most of it stays unused.
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', 'node_modules', 'n8n-workflow', 'dist', 'cjs');
const PARTS = {
	NodeApiError: 'errors/node-api.error.js',
	NodeOperationError: 'errors/node-operation.error.js',
	NodeConnectionTypes: 'interfaces.js',
	jsonParse: 'utils.js',
	sleep: 'utils.js',
	updateDisplayOptions: 'utils.js',
};

module.exports = new Proxy({}, { get: (_, name) => require(join(folder, PARTS[name] ?? 'index.js'))[name] });
