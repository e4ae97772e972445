import { exampleFiles, readExample } from '../../examples/examples';
import { node } from '../../nodes';
import { startEnvironment, type Environment } from '../environment';
import { atLeast } from '../n8n/target';

const [NEXT, REMOVED] = atLeast('2.0') ? ['v3', 'function'] : ['v2', 'start'];

let e2e: Environment;
beforeAll(async () => (e2e = await startEnvironment()));
afterAll(async () => await e2e.close());

test(`n8n's migration report for ${NEXT} finds a problem in a workflow with a node that n8n removes, but in no template`, async () => {
	const path = `/rest/breaking-changes/report/refresh?version=${NEXT}`;
	const readReport = async () =>
		(await e2e.rest.post<{ report: { workflowResults: unknown } }>(path)).report.workflowResults;
	const nodes = [node('Old', `n8n-nodes-base.${REMOVED}`, {})];
	await e2e.workflows.create({ nodes, connections: {} });
	// Other tests have left their n8n workflows in this n8n.
	const before = await readReport();
	expect(JSON.stringify(before)).toContain(`"ruleId":"${REMOVED}-`);
	for (const file of exampleFiles) await e2e.workflows.create(readExample(file));
	expect(await readReport()).toEqual(before);
});
