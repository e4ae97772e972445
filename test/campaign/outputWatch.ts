import { format } from 'node:util';

/** What a process writes while it is watched. */
export interface OutputWatch {
	/** Writes that were seen. */
	writes(): number;
	/** Those of them that held a secret, with the secret taken out. */
	leaks(): string[];
	/** Shows output again. */
	end(): void;
}

/**
 * Takes in all that is written to the console and to the standard streams, logs of n8n included, without showing it.
 *
 * @param secrets what must not be written
 */
export function watchOutput(secrets: string[]): OutputWatch {
	let writes = 0;
	const leaks: string[] = [];
	const take = (chunk: unknown) => {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
		writes++;
		if (secrets.some((secret) => text.includes(secret))) leaks.push(withoutSecrets(text, secrets));
		return true;
	};
	// Jest's console has streams of its own, and does not always use them.
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream | undefined>;
	const streams = [...new Set([process.stdout, process.stderr, out, err])].filter((stream) => !!stream);
	const originals = streams.map((stream) => stream.write);
	const methods = CONSOLE.map((name) => console[name]);
	for (const stream of streams) stream.write = take;
	for (const name of CONSOLE) console[name] = (...texts: unknown[]) => void take(format(...texts));
	return {
		writes: () => writes,
		leaks: () => leaks,
		end() {
			streams.forEach((stream, i) => (stream.write = originals[i]));
			CONSOLE.forEach((name, i) => (console[name] = methods[i]));
		},
	};
}

const CONSOLE = ['debug', 'error', 'info', 'log', 'warn'] as const;

const withoutSecrets = (text: string, secrets: string[]) =>
	secrets.reduce((rest, secret) => rest.split(secret).join('[API key]'), text);
