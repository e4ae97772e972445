import { format } from 'node:util';

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Records what is written to the console and the standard streams, n8n's logs included, instead of showing it. */
export function watchOutput(secrets: string[]) {
	let writes = 0;
	const leaks: string[] = [];
	const record = (chunk: unknown) => {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
		writes++;
		if (secrets.some((secret) => text.includes(secret))) leaks.push(withoutSecrets(text, secrets));
		return true;
	};
	// Jest's console has its own streams.
	const { _stdout: out, _stderr: err } = console as unknown as Record<string, NodeJS.WriteStream | undefined>;
	const streams = [...new Set([process.stdout, process.stderr, out, err])].filter((stream) => !!stream);
	const originals = streams.map((stream) => stream.write);
	const methods = METHODS.map((name) => console[name]);
	for (const stream of streams) stream.write = record;
	for (const name of METHODS) console[name] = (...texts: unknown[]) => void record(format(...texts));
	return {
		/** Returns the number of writes. */
		writes: () => writes,
		/** Returns the texts that held a secret, without it. */
		leaks: () => leaks,
		/** Shows output again. */
		end() {
			streams.forEach((stream, i) => (stream.write = originals[i]));
			METHODS.forEach((name, i) => (console[name] = methods[i]));
		},
	};
}

const withoutSecrets = (text: string, secrets: string[]) =>
	secrets.reduce((rest, secret) => rest.replaceAll(secret, '[API key]'), text);
