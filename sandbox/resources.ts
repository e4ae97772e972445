import type { KeyRecord } from './apiKeyStore';
import { digest, iso } from './ids';
import { runProgress } from './runProgress';
import type { Fields, SandboxSettings, TimeFormat } from './settings';
import type { ResultRecord, RunRecord, WorkflowRecord } from './store';

// Extra fields are spread first, so that they never replace the contract's fields (2.2, 2.3).

export function configResource(settings: SandboxSettings, createdAt: number): Fields {
	return {
		...settings.extraFields.config,
		...commonFields(`cfg_${digest('config')}`, 'prospector_config', settings, createdAt),
		timezone: 'Europe/Berlin',
		// The contract does not show their structure.
		states: ['New', 'Contacted', 'Won'].map((label, index) => ({
			...{ key: label.toLowerCase(), label, position: index + 1 },
		})),
	};
}

export function workflowResource(workflow: WorkflowRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.workflow,
		...workflow.fields,
		...commonFields(
			workflow.shownId,
			'prospector_workflow',
			settings,
			workflow.createdAt,
			workflow.updatedAt,
		),
		name: workflow.name,
		status: workflow.status,
	};
}

export function runResource(run: RunRecord, settings: SandboxSettings, now: number): Fields {
	const { status, since } = runProgress(run.plan, now - run.startedAt);
	const updatedAt = since === 0 ? run.createdAt : run.startedAt + since;
	return {
		...settings.extraFields.run,
		...commonFields(run.shownId, 'prospector_run', settings, run.createdAt, updatedAt),
		status,
		workflow_id: run.workflowId,
	};
}

export function resultResource(result: ResultRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.result,
		...commonFields(result.shownId, 'prospector_result', settings, result.createdAt),
		lead_id: result.leadId,
		company_name: result.companyName,
	};
}

/** The identity of the key and its workspace (contract, section 5.2). The fields are our choice. */
export function meResource(key: KeyRecord, settings: SandboxSettings): Fields {
	return {
		...settings.extraFields.me,
		...commonFields(`key_${digest(`identity:${key.id}`)}`, 'api_key', settings, key.createdAt),
		name: key.name,
		scopes: key.scopes,
		membership: key.membership,
		workspace: { id: `ws_${digest('workspace')}`, name: 'Sandbox workspace' },
	};
}

function commonFields(
	id: unknown,
	object: string,
	{ timeFormat }: SandboxSettings,
	createdAt: number,
	updatedAt = createdAt,
): Fields {
	const format = TIME_FORMATTERS[timeFormat];
	return { id, object, created_at: format(createdAt), updated_at: format(updatedAt) };
}

const TIME_FORMATTERS: Record<TimeFormat, (ms: number) => unknown> = {
	utc: iso,
	offset: (ms) => iso(ms + 2 * 3_600_000).replace('Z', '+02:00'),
	noZone: (ms) => iso(ms).replace('Z', ''),
	noMilliseconds: (ms) => iso(ms).replace(/\.\d+/, ''),
	noSeconds: (ms) => iso(ms).replace(/:\d\d\.\d+/, ''),
	// JSON leaves undefined fields out.
	missing: () => undefined,
	null: () => null,
	number: (ms) => ms,
	nonsense: () => 'soon',
	digits: (ms) => ['Week 3', 'batch-12', '5'][Math.abs(ms) % 3],
};
