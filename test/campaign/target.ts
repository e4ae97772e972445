import type { JournalEntry } from '../../sandbox/types';

/** The target of the operation that a request was for. */
export function targetOf({ operation, path, body }: JournalEntry): string | undefined {
	if (operation === 'runWorkflow') return path.split('/').at(-2);
	return operation === 'createWorkflow' ? (body as { name: string }).name : undefined;
}
