import { exampleFiles, readExample } from '../../examples/examples';
import { node } from '../../nodes';
import { useEnvironment } from '../environment';
import { atLeast } from '../n8n/target';

const [NEXT, REMOVED] = atLeast('2.0') ? ['v3', 'function'] : ['v2', 'start'];
const REPORT = '/rest/breaking-changes/report';

const e2e = useEnvironment();

test(`n8n's migration report for ${NEXT} finds a problem in a workflow with a node that n8n removes, but in no template`, async () => {
	const { rest, workflows } = e2e;
	const nodes = [node('Old', `n8n-nodes-base.${REMOVED}`, {})];
	const created = [await workflows.create({ nodes, connections: {} })];
	for (const file of exampleFiles) created.push(await workflows.create(readExample(file)));

	const { report } = await rest.post<{ report: { workflowResults: Array<{ ruleId: string }> } }>(
		`${REPORT}/refresh?version=${NEXT}`,
	);
	const found: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await rest.get<{ affectedWorkflows: Array<{ id: string }> }>(
			`${REPORT}/${ruleId}`,
		);
		// Other tests have left their n8n workflows in this n8n.
		for (const { id } of affectedWorkflows)
			if (created.some((each) => each.id === id)) found.push(`${ruleId}: ${id}`);
	}
	expect(found).toEqual([expect.stringMatching(new RegExp(`^${REMOVED}-.*: ${created[0].id}$`))]);
});
