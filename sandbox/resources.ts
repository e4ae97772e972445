import { digest, iso } from './ids';
import type { KeyRecord } from './apiKeyStore';
import { runProgress } from './runProgress';
import type { Fields, SandboxSettings } from './settings';
import type { ResultRecord, RunRecord, WorkflowRecord } from './store';

// Extra fields are spread first, so that they never replace the contract's fields (2.2, 2.3).

export function configResource(settings: SandboxSettings, createdAt: number): Fields {
	return {
		...settings.extraFields.config,
		...commonFields(`cfg_${digest('config')}`, 'prospector_config', createdAt, createdAt),
		timezone: settings.timezone,
		states: settings.states,
	};
}

export function workflowResource(workflow: WorkflowRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.workflow,
		...workflow.fields,
		...commonFields(workflow.id, 'prospector_workflow', workflow.createdAt, workflow.updatedAt),
		name: workflow.name,
		status: workflow.status,
	};
}

export function runResource(run: RunRecord, settings: SandboxSettings, now: number): Fields {
	const progress = runProgress(run.plan, now - run.createdAt);
	return {
		...settings.extraFields.run,
		...commonFields(run.id, 'prospector_run', run.createdAt, run.createdAt + progress.since),
		status: progress.status,
		workflow_id: run.workflowId,
	};
}

export function resultResource(result: ResultRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.result,
		...commonFields(result.id, 'prospector_result', result.createdAt, result.createdAt),
		lead_id: result.leadId,
		company_name: result.companyName,
	};
}

/** Contract 5.2: "the identity of the current API key and the workspace context". The fields are our choice. */
export function meResource(key: KeyRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.me,
		...commonFields(`key_${digest(`identity:${key.id}`)}`, 'api_key', key.createdAt, key.createdAt),
		name: key.name,
		scopes: key.scopes,
		membership: key.membership,
		workspace: { id: `ws_${digest('workspace')}`, name: 'Sandbox workspace' },
	};
}

function commonFields(id: string, object: string, createdAt: number, updatedAt: number): Fields {
	return { id, object, created_at: iso(createdAt), updated_at: iso(updatedAt) };
}
