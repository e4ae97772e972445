import { executeNode, httpResponse, listResponse } from './helpers/support';

test('the node logs a warning with its name when it sends a request again', async () => {
	const warnings: string[] = [];
	await executeNode({
		operation: 'workflow.getAll',
		parameters: { options: { retryFor: 60 } },
		answers: [httpResponse(503, ''), listResponse([])],
		rest: { logger: { warn: (line: string) => void warnings.push(line) } },
	});
	expect(warnings).toEqual([expect.stringMatching(/^Prospector: .*503.*\. Trying again in \d+\.\d s$/)]);
});
