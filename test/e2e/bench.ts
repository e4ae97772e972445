import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/sandbox';
import type { SandboxSettings } from '../../sandbox/settings';
import type { ReadyMadeKeys } from '../../sandbox/types';
import { node, PROSPECTOR } from '../nodes';
import { Executions } from './n8n/executions';
import { startN8n, type N8nOptions } from './n8n/instance';
import { Workflows } from './n8n/workflows';

/** Starting n8n, and again after a kill, on a machine that does other things too. */
export const PATIENT = 180_000;

/** A whole n8n with the packed package, and the sandbox; `close()` it in `afterAll`. */
export async function startE2e(options: N8nOptions = {}, settings: Partial<SandboxSettings> = {}) {
	const sandbox = await startSandbox({ port: 0, settings: { runStageMs: 0, limit: 100_000, ...settings } });
	const n8n = await startN8n(options).catch(async (error: unknown) => {
		await sandbox.close();
		throw error;
	});
	const { rest } = n8n;
	const references = new Map<string, NonNullable<INode['credentials']>>();

	/** Creates a Prospector credential as its form does, once per name. */
	async function credential(
		name: string,
		data: ICredentialDataDecryptedObject,
	): Promise<NonNullable<INode['credentials']>> {
		const known = references.get(name);
		if (known) return known;
		const { id } = await rest.post<{ id: string }>('/rest/credentials', {
			name,
			type: 'prospectorApi',
			data: { baseUrl: sandbox.baseUrl, ...data },
		});
		const made = { prospectorApi: { id, name } };
		references.set(name, made);
		return made;
	}

	/** A credential with one of the sandbox's ready-made keys. */
	const keyed = async (key: keyof ReadyMadeKeys) => await credential(key, { apiKey: sandbox.keys[key] });
	const full = await keyed('full');

	return {
		sandbox,
		control: sandbox.control,
		n8n,
		rest,
		workflows: new Workflows(rest),
		executions: new Executions(rest),
		credential,
		keyed,
		full,
		/** A Prospector node with the key that may do all. */
		prospector: (name: string, parameters: IDataObject, extra: Partial<INode> = {}) =>
			node(name, PROSPECTOR, parameters, { credentials: full, ...extra }),
		/** Requests of one operation, in their order. */
		requests: (operation: string) =>
			sandbox.control.journal().filter((entry) => entry.operation === operation),
		/** Forgets faults and requests of before. */
		forget() {
			sandbox.control.clearFaults();
			sandbox.control.clearJournal();
		},
		async close() {
			await n8n.close();
			await sandbox.close();
		},
	};
}

export type E2e = Awaited<ReturnType<typeof startE2e>>;
