import type { IDataObject, IExecuteFunctions, INode, Workflow } from 'n8n-workflow';
import { createContext, runInContext } from 'node:vm';

interface CodeSettings {
	code: string;
	nodeMode: string;
}

/** What crosses the border between n8n and its task runner does so as JSON. */
const copy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

/**
 * Stands in for n8n's task runner, which executes the Code node's JavaScript in a process of its own: nothing of n8n's
 * is within reach but what the node may use, and the workflow's static data comes back when it was changed.
 *
 * @throws when the code is to run for each item, or is not JavaScript: no example needs that
 */
export async function runCode(
	_additionalData: unknown,
	language: string,
	{ code, nodeMode }: CodeSettings,
	context: IExecuteFunctions,
	_inputData: unknown,
	node: INode,
	workflow: Workflow,
): Promise<{ ok: true; result: unknown } | { ok: false; error: unknown }> {
	if (language !== 'javascript' || nodeMode !== 'runOnceForAllItems') {
		throw new Error(`Code in ${language}, ${nodeMode}, is not supported here`);
	}
	const kept = copy(workflow.staticData) ?? {};
	const before = JSON.stringify(kept);
	const $getWorkflowStaticData = (type: 'global' | 'node') =>
		(kept[type === 'global' ? type : `node:${node.name}`] ??= {}) as IDataObject;
	const data = context.getWorkflowDataProxy(0);
	const within = createContext({ ...data, $getWorkflowStaticData, items: copy(data.$input.all()) });
	try {
		const result: unknown = await runInContext(`(async () => {${code}\n})()`, within);
		// An empty part that was only looked for is no change.
		const changed = Object.fromEntries(
			Object.entries(kept).filter(([, part]) => Object.keys(part as object).length > 0),
		);
		if (JSON.stringify(changed) !== before) workflow.overrideStaticData(changed);
		return { ok: true, result: copy(result) };
	} catch (error) {
		return { ok: false, error };
	}
}
