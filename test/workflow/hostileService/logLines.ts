// Everything that n8n could possibly log. Read when its logger is first used.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_FORMAT = 'json';

let lines: string[] = [];

/** Keeps what is written to the console instead of showing it. Jest's console has streams of its own at times. */
export function captureLog(): void {
	lines = [];
	const keep = (text: unknown) => lines.push(String(text)) > 0;
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream>;
	for (const stream of new Set([process.stdout, process.stderr, out, err])) {
		jest.spyOn(stream, 'write').mockImplementation(keep);
	}
}

/** What was written since {@link captureLog}. */
export const capturedLog = (): string => lines.join('');

export function releaseLog(): void {
	jest.restoreAllMocks();
}
