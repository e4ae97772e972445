import type { INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../engine';
import { node } from '../../nodes';
import { items, manualTrigger } from '../n8n/workflows';

/** A loop that lets a node work three times; what its rounds put out comes out of 'Loop' in the end. */
export function threeRounds(work: INode): WorkflowFile {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, { typeVersion: 3 });
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		nodes: [manualTrigger(), items('Items', [{ n: 1 }, { n: 2 }, { n: 3 }]), loop, work],
		connections: {
			'When clicking': { main: [to('Items')] },
			Items: { main: [to('Loop')] },
			Loop: { main: [[], to(work.name)] },
			[work.name]: { main: [to('Loop')] },
		},
	};
}
