import { digest, iso } from './ids';
import type { KeyRecord } from './keys';
import { runProgress } from './runProgress';
import type { Fields, SandboxSettings } from './settings';
import type { ResultRecord, RunRecord, WorkflowRecord } from './store';

// Extra fields are spread first: they may stand next to the contract's fields (2.2, 2.3) and never hide one.

/** Contract 2.3, prospector_config. */
export function configResource(settings: SandboxSettings, createdAt: number): Fields {
	return {
		...settings.extraFields.config,
		...common(`cfg_${digest('config')}`, 'prospector_config', createdAt, createdAt),
		timezone: settings.timezone,
		states: settings.states,
	};
}

/** Contract 2.3, prospector_workflow. */
export function workflowResource(workflow: WorkflowRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.workflow,
		...workflow.fields,
		...common(workflow.id, 'prospector_workflow', workflow.createdAt, workflow.updatedAt),
		name: workflow.name,
		status: workflow.status,
	};
}

/** Contract 2.3, prospector_run, as it stands at `now` (ms). */
export function runResource(run: RunRecord, settings: SandboxSettings, now: number): Fields {
	const progress = runProgress(run.plan, now - run.createdAt);
	return {
		...settings.extraFields.run,
		...common(run.id, 'prospector_run', run.createdAt, run.createdAt + progress.since),
		status: progress.status,
		workflow_id: run.workflowId,
	};
}

/** Contract 2.3, prospector_result. */
export function resultResource(result: ResultRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.result,
		...common(result.id, 'prospector_result', result.createdAt, result.createdAt),
		lead_id: result.leadId,
		company_name: result.companyName,
	};
}

/** What GET /me gives: "the identity of the current API key and the workspace context"; fields are our choice. */
export function meResource(key: KeyRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.me,
		...common(`key_${digest(`identity:${key.id}`)}`, 'api_key', key.createdAt, key.createdAt),
		name: key.name,
		scopes: key.scopes,
		membership: key.membership,
		workspace: { id: `ws_${digest('workspace')}`, name: 'Sandbox workspace' },
	};
}

function common(id: string, object: string, createdAt: number, updatedAt: number): Fields {
	return { id, object, created_at: iso(createdAt), updated_at: iso(updatedAt) };
}
