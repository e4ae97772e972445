import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { UserError } from '../../nodes/Prospector/messages/userMessage';
import { runListEntry } from '../../nodes/Prospector/methods/listEntries';
import { parseKeyAccess } from '../../nodes/Prospector/model/keyAccess';
import { parseResourceId } from '../../nodes/Prospector/model/resource';
import { matchesStatus, runOutcome } from '../../nodes/Prospector/model/runStatus';
import { parseBaseUrl, parseConnection } from '../../nodes/Prospector/parameters/credential/connection';
import { parsePageUrls } from '../../nodes/Prospector/parameters/credential/pageUrls';
import { runListFilters } from '../../nodes/Prospector/parameters/filters';
import { preventDuplicates } from '../../nodes/Prospector/parameters/idempotencyKey';
import { parseId, workflowLocator } from '../../nodes/Prospector/parameters/locators';
import {
	coerceText,
	integer,
	parseBoolean,
	parseJson,
	stringList,
} from '../../nodes/Prospector/parameters/parse';
import { ParameterReader } from '../../nodes/Prospector/parameters/readParameters';
import { fillPlaceholders } from '../../nodes/Prospector/transport/request/endpoints';
import { leastProcessorTime } from '../processorTime';
import { BASE, CREDENTIAL_DATA, fakeExecution, NODE, readParameter } from './helpers/support';

const MAX_MS = 50;

const [, idMode] = workflowLocator('').fields?.[0].modes ?? [];
const { regex } = (idMode?.validation?.[0] as unknown as { properties: { regex: string } }).properties;
const advanced = (settings: object): ICredentialDataDecryptedObject => ({
	...CREDENTIAL_DATA,
	showAdvanced: true,
	...settings,
});
const tool = { ...NODE, type: `${NODE.type}Tool` };

const PARSERS: Array<[string, (text: string) => unknown]> = [
	['the API key', (apiKey) => parseConnection({ ...CREDENTIAL_DATA, apiKey })],
	['the base URL', (text) => parseBaseUrl(text, false)],
	['the path of the base URL', (text) => parseBaseUrl(`${BASE}/${text}`, false)],
	['the cursor parameter', (cursorParameter) => parseConnection(advanced({ cursorParameter }))],
	['a page URL', (runPageUrl) => parsePageUrls(advanced({ runPageUrl }))],
	['the host of a page URL', (text) => parsePageUrls(advanced({ runPageUrl: `https://${text}` }))],
	['the template of a link', (text) => fillPlaceholders(text, { run_id: 'run_1' })],
	['a boolean', (text) => parseBoolean(text, 'Simplify')],
	['a number', (text) => integer(1, 10)(text, 'Limit')],
	['a list of words', (text) => stringList('a')(text, 'Statuses')],
	['a status', (text) => matchesStatus(text, ['done', text.slice(1), 'failed'])],
	['a status among the built-in ones', (text) => runOutcome(text)],
	['a JSON object', (text) => parseJson(text, 'JSON')],
	['an unfinished code fence', (text) => parseJson(`\`\`\`${text}`, 'JSON')],
	['a code fence', (text) => parseJson(`\`\`\`json${text}\`\`\``, 'JSON')],
	['a typed field', (text) => coerceText(text, 'boolean', 'active')],
	['an ID', (text) => [parseResourceId(text), parseId(text, 'Workflow')]],
	['an ID in the editor', (text) => new RegExp(regex).test(text)],
	// As n8n checks it on the server.
	['an ID on the server', (text) => new RegExp(`^${regex}$`).test(text)],
	['an idempotency key', (text) => readKey({ preventDuplicates: 'key', idempotencyKey: text })],
	['an option of Prevent Duplicates', (text) => readKey({ preventDuplicates: text })],
	['the filters', (text) => readParameter(runListFilters, { filters: { status: text } })],
	['the query parameters', (text) => readParameter(runListFilters, { filters: { queryParameters: text } })],
	['the scopes of an API key', (scopes) => parseKeyAccess({ scopes })],
	['the role of an API key', (role) => parseKeyAccess({ role, access: `read${role}` })],
	['the parameters of a tool', (text) => readToolInput({ text })],
	['the time of a run', (created_at) => runListEntry({ id: 'run_1', created_at }, { id: 'wf_1' })],
];

const readKey = (options: object) => readParameter(preventDuplicates, { options });

const readToolInput = (parameters: Record<string, string>) =>
	new ParameterReader(fakeExecution({ rest: { getNode: () => ({ ...tool, parameters }) } }).context).valuesOf(
		0,
	).input;

const PIECES = [
	...[' ', '\t', '\n', '\u00a0', '/', '`', '```', '<', '<a', ',', '=', '-', '_', '"', "'", '\\', 'a', '1'],
	...['[', '{', '{a', '{}', '}', '[1,', '://', 'a://', '@', '?', '#', '.', '+', 'true', ':00', ':00.', '1 '],
	...['$fromAI(', '$fromAI( ', '$fromAI("a', '/api/public/v1', '\ud83d', '😀', '\u200b'],
];

/** Each piece repeated, alone and before ends that do not fit. */
const hostileTexts = (pieces: string[], length: number) =>
	pieces.flatMap((piece) => {
		const text = piece.repeat(length / piece.length);
		return [text, `${text}x`, `${text}\n`, `${text}/ x`];
	});

/** Returns the beginnings of the texts that take too long to parse. */
async function slowTexts(parse: (text: string) => unknown, texts: string[]): Promise<string[]> {
	const slow: string[] = [];
	const parseOrThrow = (text: string) => {
		try {
			parse(text);
		} catch (thrown) {
			// How long a rejection takes matters as well.
			if (!(thrown instanceof UserError)) throw thrown;
		}
	};
	for (const text of texts) {
		if ((await leastProcessorTime(() => parseOrThrow(text), MAX_MS)) >= MAX_MS) slow.push(text.slice(0, 12));
	}
	return slow;
}

test.each(PARSERS)(
	'%s of 100 kB is parsed in less than 50 ms when a piece of it repeats',
	async (_, parse) => {
		expect(await slowTexts(parse, hostileTexts(PIECES, 100_000))).toEqual([]);
	},
);

test.each(PARSERS.filter(([name]) => /JSON|fence/.test(name)))(
	'%s of 1 MB is parsed in less than 50 ms when a piece of it repeats',
	async (_, parse) => {
		// JSON.parse itself takes longer for a million nested lists.
		const pieces = PIECES.filter((piece) => piece !== '[');
		expect(await slowTexts(parse, hostileTexts(pieces, 1_000_000))).toEqual([]);
	},
);
