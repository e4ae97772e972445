import type { ScriptedModel } from '../../../agent/scriptedModel';
import { LEFT_EMPTY, PLACEHOLDERS, readExample } from '../../../examples/examples';
import type { Canvas } from '../../browser/pages/canvas';
import type { Environment } from '../../environment';
import { eventually } from '../../../eventually';
import { atLeast } from '../../n8n/target';
import type { Saved } from '../../n8n/workflows';
import type { MailServer } from '../../outside/mailServer';
import type { Recorder } from '../../outside/recorder';
import { pollTimes } from '../../trigger/polling';

/** Something that a person does in a node of a template. */
export type Step =
	/** Executes the step, or fetches test events. It must succeed. */
	| [node: string, action: 'test']
	/** Picks an entry from a list, or enters a text. */
	| [node: string, action: 'pick' | 'enter', field: string, value: string];

/** The systems around a template. */
export interface World {
	e2e: Environment;
	/** In place of Google Sheets, HubSpot and Slack. */
	recorder: Recorder;
	mailServer: MailServer;
	/** In place of OpenAI. */
	model: ScriptedModel;
	canvas: Canvas;
}

export interface Template {
	/** Prepares what the steps need, such as a run that has failed. */
	prepare?(world: World): Promise<void> | void;
	/** What the template's notes tell the user to test and to choose, in the order of the user. */
	steps: Step[];
	/** Checks the outcome in the other system. The n8n workflow is published. */
	check(world: World, workflow: Saved): Promise<void>;
}

/** Returns the JSON of a template that polls as often as n8n permits and waits for a second, instead of minutes. */
function readTemplate(file: string): string {
	const template = readExample(file);
	for (const { parameters } of template.nodes) {
		if (parameters.pollTimes) parameters.pollTimes = pollTimes();
		if (parameters.unit === 'minutes') Object.assign(parameters, { amount: 1, unit: 'seconds' });
	}
	return JSON.stringify(template);
}

/**
 * Pastes a template on an empty canvas, accepts the credentials that n8n adds, performs the steps in their order, and
 * publishes the n8n workflow.
 *
 * @returns the ID of the n8n workflow
 */
export async function fillIn(canvas: Canvas, file: string, steps: Step[]): Promise<string> {
	await canvas.paste(readTemplate(file));
	if (!atLeast('2.0')) await chooseCredentials(canvas, file);
	await waitForIssues(canvas, Object.keys(LEFT_EMPTY[file] ?? {}));
	for (const [name, action, field, value] of steps) {
		const node = await canvas.openNode(name);
		if (action === 'test') await node.execute();
		else await node[action](field, value);
		await node.close();
		if (action === 'test') await canvas.waitForSuccess(name);
	}
	await waitForIssues(canvas, []);
	return await canvas.publish();
}

/**
 * Chooses a credential of each type in one node. n8n then uses it in the other nodes, too. Unlike n8n 2, n8n 1 adds no
 * credentials to pasted nodes.
 */
async function chooseCredentials(canvas: Canvas, file: string): Promise<void> {
	const { nodes } = readExample(file);
	const types = new Set(nodes.flatMap(({ credentials }) => Object.keys(credentials ?? {})));
	for (const type of types) {
		const node = await canvas.openNode(nodes.find(({ credentials }) => credentials?.[type])!.name);
		await node.chooseCredential(PLACEHOLDERS[type].name);
		await node.close();
	}
}

/** Waits until exactly these nodes have a red sign. */
async function waitForIssues(canvas: Canvas, names: string[]): Promise<void> {
	const expected = names.sort().join();
	await eventually(
		`red signs on ${expected || 'no node'}`,
		async () => (await canvas.nodesWithIssues()).join() === expected,
	);
}
