import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../engine';
import { chainNodes } from '../nodes';
import { unknownParameters } from '../unknownParameters';
import { MINUTE, startTriggerEnvironment } from './triggerEnvironment';

/*
 * What earlier versions have stored in n8n: nodes with all their parameters, and the state of active triggers.
 * A released file never changes. To add the file of a new version, copy the last one and run this test with
 * RECORD=<version>, which replaces what the nodes send and what the triggers store.
 */
interface Stored {
	nodes: Array<{
		name: string;
		parameters: IDataObject;
		/** What the node sends, and the number of items it returns. */
		requests: unknown[];
		items: number;
	}>;
	triggers: Array<{
		name: string;
		parameters: IDataObject;
		/** The node's static data, with `{{address}}` for the hash of the address. */
		state: string;
		/** IDs of the items that were emitted before the upgrade. */
		emitted: unknown[];
	}>;
}

const FOLDER = join(__dirname, 'stored');
const versions = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const recorded = process.env.RECORD;

const fileOf = (version: string) => join(FOLDER, `${version}.json`);
const START = Date.parse('2026-03-02T06:00:00.000Z');

/** An environment in which the service has the same data and IDs each time. */
async function startStoredEnvironment(version: string) {
	const env = await startTriggerEnvironment({ runStageMs: 20 * MINUTE, resultsPerRun: 3 }, START);
	const { control, sandbox } = env;
	const [workflow, second] = control.seed({
		workflows: [{ name: 'Stored', runs: [{ results: 7 }, { status: 'failed', results: 1 }] }, { runs: 1 }],
	}).workflows;
	const { runs } = control.seed({ runs: [{ workflowId: workflow, results: 5 }] });
	const text = readFileSync(fileOf(version), 'utf8')
		.replaceAll('{{workflow}}', workflow)
		.replaceAll('{{run}}', runs[0]);
	// As version 0.1 does.
	const digest = createHash('sha256').update(sandbox.baseUrl).digest('hex').slice(0, 12);
	const address = Buffer.from(digest, 'hex').toString('base64url');
	const stored = JSON.parse(text) as Stored;
	let seeds = 0;
	return {
		...env,
		stored,
		address,
		/** Twenty minutes pass, in which runs go on, fail and are added to two Prospector workflows. */
		goOn() {
			env.advance(20 * MINUTE);
			const seed = ++seeds;
			const live = { workflowId: seed % 2 ? workflow : second, live: true, results: seed };
			control.seed({ runs: [live, { workflowId: workflow, status: 'failed', results: 4 }] });
		},
	};
}

type StoredEnvironment = Awaited<ReturnType<typeof startStoredEnvironment>>;
type Trigger = ReturnType<StoredEnvironment['trigger']>;

const emitted = ({ executions }: Trigger) => executions.flat().map(({ json }) => json.id);

async function poll(trigger: Trigger, times: number): Promise<void> {
	for (let i = 0; i < times; i++) await trigger.tick();
}

/** Executes a stored node, and returns what it sent and how many items it returned. */
async function executeNode(env: StoredEnvironment, { name, parameters }: Stored['nodes'][number]) {
	env.resetService();
	env.control.patchSettings({ runStageMs: 0 });
	const workflow = chainNodes(env.prospector(parameters, { name }));
	const ended = await env.run(workflow);
	expect(ended.data.resultData.error?.message).toBeUndefined();
	const requests = env.journal().map(({ method, path, query, body, idempotencyKey }) => ({
		method,
		path,
		query,
		body,
		// Others depend on the execution.
		idempotencyKey: idempotencyKey?.startsWith('n8n-') ? 'n8n-…' : idempotencyKey,
	}));
	return { requests, items: outputOf(ended, name).length };
}

async function record(version: string): Promise<void> {
	const last = versions.at(-1) as string;
	const env = await startStoredEnvironment(last);
	const { stored } = env;
	const plain = JSON.parse(readFileSync(fileOf(last), 'utf8')) as Stored;
	for (const [index, each] of stored.triggers.entries()) {
		const trigger = env.trigger(each.parameters);
		await trigger.activate();
		Object.assign(plain.triggers[index], { trigger });
	}
	env.goOn();
	for (const each of plain.triggers) {
		const { trigger, ...rest } = each as (typeof plain.triggers)[number] & { trigger: Trigger };
		await poll(trigger, 1);
		const state = JSON.stringify(trigger.staticData).replaceAll(env.address, '{{address}}');
		Object.assign(each, { ...rest, state, emitted: emitted(trigger), trigger: undefined });
	}
	for (const [index, each] of stored.nodes.entries())
		Object.assign(plain.nodes[index], await executeNode(env, each));
	writeFileSync(fileOf(version), `${JSON.stringify(plain, null, '\t')}\n`);
	await env.close();
}

beforeAll(async () => {
	if (recorded) await record(recorded);
});

describe.each(recorded ? [recorded] : versions)('what version %s has stored', (version) => {
	let env: StoredEnvironment;
	beforeEach(async () => {
		env = await startStoredEnvironment(version);
	});
	afterEach(async () => await env.close());

	test('loads with every parameter, and none of them is missing or unknown', () => {
		const { nodes, triggers } = env.stored;
		for (const [type, list] of [
			['n8n-nodes-prospector.prospector', nodes],
			['n8n-nodes-prospector.prospectorTrigger', triggers],
		] as const) {
			const { description } = env.nodeTypes.getByNameAndVersion(type, 1);
			for (const { name, parameters } of list) {
				const given = parameters as INodeParameters;
				const node = env.prospector(parameters, { name, type });
				const known = NodeHelpers.getNodeParameters(
					description.properties,
					given,
					true,
					false,
					node,
					description,
				) as INodeParameters;
				expect([name, unknownParameters(given, known)]).toEqual([name, []]);
				expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
			}
		}
	});

	test('makes nodes send the same requests, and return as many items', async () => {
		env.goOn();
		for (const node of env.stored.nodes) {
			const { requests, items } = node;
			expect({ name: node.name, ...(await executeNode(env, node)) }).toEqual({
				name: node.name,
				requests,
				items,
			});
		}
	});

	test('makes triggers continue: nothing that was emitted before is repeated, and nothing is skipped', async () => {
		const { triggers } = env.stored;
		const continuous: Trigger[] = [];
		for (const { parameters } of triggers) {
			const trigger = env.trigger(parameters);
			await trigger.activate();
			continuous.push(trigger);
		}
		env.goOn();
		for (const trigger of continuous) await poll(trigger, 1);
		const upgraded = triggers.map(({ parameters, state }) =>
			env.trigger(parameters, JSON.parse(state.replaceAll('{{address}}', env.address)) as IDataObject),
		);
		for (const trigger of upgraded) await trigger.activate();
		for (let round = 0; round < 4; round++) {
			env.goOn();
			for (const trigger of [...continuous, ...upgraded]) await poll(trigger, 4);
		}
		for (const [index, { name, emitted: before }] of triggers.entries()) {
			expect([name, before.length > 0]).toEqual([name, true]);
			const all = [...before, ...emitted(upgraded[index])].sort();
			expect([name, ...all]).toEqual([name, ...emitted(continuous[index]).sort()]);
		}
	});
});
