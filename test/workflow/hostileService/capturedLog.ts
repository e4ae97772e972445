/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
let lines: string[] = [];

/** Records what is written to the console instead of showing it. Jest's console can have streams of its own. */
export function captureLog(): void {
	lines = [];
	// Everything that n8n can log. Its logger reads this when it is first used.
	Object.assign(process.env, { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
	const keep = (text: unknown) => lines.push(String(text)) > 0;
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream>;
	for (const stream of new Set([process.stdout, process.stderr, out, err])) {
		jest.spyOn(stream, 'write').mockImplementation(keep);
	}
}

/** Returns the text that was written since {@link captureLog}. */
export const capturedLog = (): string => lines.join('');

/** Shows again what is written to the console. */
export const releaseLog = (): void => void jest.restoreAllMocks();
