import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { retryLine } from '../../messages/nodeErrors';
import type { Dependencies } from '../../transport/dependencies';
import { createRedactor } from '../../transport/failure/redactSecrets';
import type { Connection } from '../../transport/request/apiRequest';
import type { Client, RequestSettings } from '../../transport/request/client';
import { n8nClient, type N8nContext } from '../../transport/request/n8nClient';
import { toText } from '../../utils';
import { invalid } from '../parse';
import { parseBaseUrl } from './baseUrl';

/** Defaults for what the contract does not show (section 4). */
const DEFAULT_CURSOR_PARAMETER = 'cursor';
const DEFAULT_PAGE_SIZE_PARAMETER = 'limit';

/**
 * Returns the connection that a credential describes.
 *
 * @param credential decrypted data of a `prospectorApi` credential
 * @throws UserError
 */
export function parseConnection(credential: ICredentialDataDecryptedObject): Connection {
	const isAdvanced = credential.showAdvanced === true;
	const advanced = (name: string) => (isAdvanced ? toText(credential[name]).trim() : '');
	const baseUrl = parseBaseUrl(credential.baseUrl, isAdvanced && credential.allowHttp === true);
	const apiKey = parseApiKey(credential.apiKey);
	return {
		baseUrl,
		apiKey,
		redact: createRedactor(apiKey),
		cursorParameter: advanced('cursorParameter') || DEFAULT_CURSOR_PARAMETER,
		pageSizeParameter: advanced('pageSizeParameter') || DEFAULT_PAGE_SIZE_PARAMETER,
	};
}

/** Some servers accept no longer header. */
const MAX_KEY_LENGTH = 2048;

function parseApiKey(text: unknown): string {
	const key = typeof text === 'string' ? text.trim() : '';
	const advice = "Paste the key alone, without the word 'Bearer' and without quotation marks";
	if (key === '') {
		invalid(
			"The credential has no 'API Key'",
			"Paste the key that your workspace issued into 'API Key' of the credential",
		);
	}
	if (key.length > MAX_KEY_LENGTH) {
		invalid(`'API Key' of the credential has ${key.length} characters, which is too long for a key`, advice);
	}
	// A header can't contain other characters.
	if (!/^[\x21-\x7e]+$/.test(key) || /^["'`]|["'`]$/.test(key)) {
		invalid(
			"'API Key' of the credential holds spaces, quotation marks, line breaks or characters that no key has",
			advice,
		);
	}
	return key;
}

/**
 * Returns a client for a credential that logs its retries.
 *
 * @throws UserError when the credential can't be used
 */
export function openClient(
	context: N8nContext,
	credential: ICredentialDataDecryptedObject,
	settings: RequestSettings,
	dependencies: Dependencies,
): Client {
	const { name } = context.getNode();
	return n8nClient(context, credential, {
		...settings,
		connection: parseConnection(credential),
		dependencies,
		onRetry: (failed, delayMs) => context.logger?.warn(`${name}: ${retryLine(failed, delayMs)}`),
	});
}
