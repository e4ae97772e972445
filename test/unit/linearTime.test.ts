import { parseBoolean } from '../../nodes/Prospector/actions/fields/boolean';
import { extractId } from '../../nodes/Prospector/actions/fields/idIn';
import { parseJson } from '../../nodes/Prospector/parameters/json';
import { workflowLocator } from '../../nodes/Prospector/parameters/locators';
import { fromText } from '../../nodes/Prospector/parameters/body/mappedBody';
import { parseInteger } from '../../nodes/Prospector/actions/fields/number';
import { checkFieldNames } from '../../nodes/Prospector/parameters/outputFields';
import { parseStatuses } from '../../nodes/Prospector/actions/fields/statuses';
import { stripToolFields } from '../../nodes/Prospector/parameters/body/toolInput';
import { matchesStatus } from '../../nodes/Prospector/model/runStatus';
import { runListEntry } from '../../nodes/Prospector/methods/listEntries';
import { normalizeBaseUrl } from '../../nodes/Prospector/parameters/credential/baseUrl';
import { parseConnection } from '../../nodes/Prospector/parameters/credential/connection';
import { checkIdempotencyKey } from '../../nodes/Prospector/transport/request/idempotencyKey';
import { pageUrl, pageUrlProblem } from '../../nodes/Prospector/parameters/credential/pageUrls';
import { checkResourceId } from '../../nodes/Prospector/model/resourceId';
import { leastProcessorTime } from '../processorTime';
import { CREDENTIAL_DATA, NODE } from './helpers/support';

const MAX_MS = 50;

const [, idMode] = workflowLocator('').modes ?? [];
const { regex } = (idMode?.validation?.[0] as unknown as { properties: { regex: string } }).properties;
const advanced = { ...CREDENTIAL_DATA, showAdvanced: true };
const tool = { ...NODE, type: 'n8n-nodes-prospector.prospectorTool' };

const PARSERS: Array<[string, (text: string) => unknown]> = [
	['the API key', (apiKey) => parseConnection({ ...CREDENTIAL_DATA, apiKey })],
	['the base URL', (text) => normalizeBaseUrl(text, false)],
	['the path of the base URL', (text) => normalizeBaseUrl(`https://app.example.com/${text}`, false)],
	['the cursor parameter', (cursorParameter) => parseConnection({ ...advanced, cursorParameter })],
	['a page URL', (runPageUrl) => pageUrlProblem({ ...advanced, runPageUrl })],
	['a page URL with a host', (text) => pageUrlProblem({ ...advanced, runPageUrl: `https://${text}` })],
	['the template of a link', (text) => pageUrl(text, { run_id: 'run_1' })],
	['a boolean', (text) => parseBoolean(text, 'Simplify')],
	['a number', (text) => parseInteger(text, 'Limit', 1, 10)],
	['a list of statuses', (text) => parseStatuses(text, 'Statuses')],
	['a list of field names', checkFieldNames],
	['a status', (text) => matchesStatus(text, ['done', text.slice(1), 'failed'])],
	['a JSON object', (text) => parseJson(text, 'JSON')],
	['an unfinished code fence', (text) => parseJson(`\`\`\`${text}`, 'JSON')],
	['a code fence', (text) => parseJson(`\`\`\`json${text}\`\`\``, 'JSON')],
	['a typed field', (text) => fromText(text, 'boolean', 'active')],
	['an ID', (text) => checkResourceId(extractId(text), 'Workflow')],
	['the ID in the editor', (text) => new RegExp(regex).test(text)],
	// As n8n checks it on the server.
	['the ID on the server', (text) => new RegExp(`^${regex}$`).test(text)],
	['an idempotency key', checkIdempotencyKey],
	['the input of a tool', (text) => stripToolFields({}, { ...tool, parameters: { text } })],
	['the time of a run', (created_at) => runListEntry({ id: 'run_1', created_at }, { id: 'wf_1' })],
];

const PIECES = [
	...[' ', '\t', '\n', '\u00a0', '/', '`', '```', '<', '<a', ',', '=', '-', '_', '"', "'", '\\', 'a', '1'],
	...['[', '{', '{a', '{}', '}', '[1,', '://', 'a://', '@', '?', '#', '.', '+', 'true', ':00', ':00.', '1 '],
	...['$fromAI(', '$fromAI( ', '$fromAI("a', '/api/public/v1', '\ud83d', '😀', '\u200b'],
];

/** Each piece repeated, alone and before ends that do not fit. */
const hostileTexts = (length: number) =>
	PIECES.flatMap((piece) => {
		const text = piece.repeat(length / piece.length);
		return [text, `${text}x`, `${text}\n`, `${text}/ x`];
	});

async function slowOnes(parse: (text: string) => unknown, length: number): Promise<string[]> {
	const slow: string[] = [];
	for (const text of hostileTexts(length)) {
		if ((await leastProcessorTime(() => parse(text), MAX_MS)) >= MAX_MS) slow.push(text.slice(0, 12));
	}
	return slow;
}

test.each(PARSERS)(
	'%s of 100 kB is parsed in less than 50 ms when a piece of it repeats',
	async (_, parse) => {
		expect(await slowOnes(parse, 100_000)).toEqual([]);
	},
);

test.each(PARSERS.filter(([name]) => /JSON|fence/.test(name)))(
	'%s of 1 MB is parsed in less than 50 ms when a piece of it repeats',
	async (_, parse) => {
		const slow = await slowOnes(parse, 1_000_000);
		// JSON.parse itself takes longer for a million nested lists.
		expect(slow.filter((text) => !text.startsWith('[[['))).toEqual([]);
	},
);
