import type { IDataObject, IExecuteFunctions, INode, Workflow } from 'n8n-workflow';
import { createContext, runInContext } from 'node:vm'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { cloneAsJson } from './state';

interface CodeSettings {
	code: string;
	nodeMode: string;
}

/**
 * Replaces n8n's task runner, which executes the Code node's JavaScript in a separate process: the code can access only
 * what n8n provides to it, and changed static data is returned to the workflow.
 *
 * @throws on other languages and on code that runs once for each item, because no example needs them
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
	// n8n and its task runner exchange data as JSON.
	const staticData = cloneAsJson(workflow.staticData) ?? {};
	const before = JSON.stringify(staticData);
	const $getWorkflowStaticData = (type: 'global' | 'node') =>
		(staticData[type === 'global' ? type : `node:${node.name}`] ??= {}) as IDataObject;
	const data = context.getWorkflowDataProxy(0);
	const sandbox = createContext({ ...data, $getWorkflowStaticData, items: cloneAsJson(data.$input.all()) });
	try {
		const result: unknown = await runInContext(`(async () => {${code}\n})()`, sandbox);
		// $getWorkflowStaticData creates empty parts when the code only reads them.
		const changed = Object.fromEntries(
			Object.entries(staticData).filter(([, part]) => Object.keys(part as object).length > 0),
		);
		if (JSON.stringify(changed) !== before) workflow.overrideStaticData(changed);
		return { ok: true, result: cloneAsJson(result) };
	} catch (error) {
		return { ok: false, error };
	}
}
