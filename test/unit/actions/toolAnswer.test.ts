import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { FakeClock, fakeDependencies } from '../helpers/fakeClock';
import {
	AS_TOOL,
	executeNode,
	type ExecutionOptions,
	httpResponse,
	itemResponse,
	listResponse,
	pageResponse,
} from '../helpers/support';

const MAX_ANSWER_BYTES = 50_000;
const MAX_CALLS = 200;
const TIME_IS_OVER = expect.stringMatching(
	/^The time for an answer is over|^The service did not answer within (?!1 s)/,
) as unknown;

interface Service {
	/** The text of each item, some of which are too large for an answer. */
	texts: string[];
	pageSize: number;
	/** Whether no cursor is accepted in a later call of the tool. */
	doCursorsExpire: boolean;
	/** What the cursors contain besides a position. */
	cursorText: string;
	hasIds: boolean;
	/** What happens between two calls: an item is added to the beginning of the list, or the first one is deleted. */
	change: 'none' | 'added' | 'deleted';
}

/** Texts that are short, or up to 120 kB, and take more bytes as JSON in JSON. */
const text = fc
	.tuple(fc.constantFrom('a', 'ä', '"', '\\', '\n', '😀'), fc.constantFrom(1, 100, 5000, 60_000))
	.map(([piece, count]) => piece.repeat(count));
const service: fc.Arbitrary<Service> = fc.record({
	texts: fc.array(text, { maxLength: 30, size: 'max' }),
	pageSize: fc.integer({ min: 1, max: 12 }),
	...{ doCursorsExpire: fc.boolean(), hasIds: fc.boolean() },
	cursorText: fc.constantFrom('c', 'next:1:2:x:', '"\n'.repeat(900)),
	change: fc.constantFrom('none', 'added', 'deleted'),
});
/** A call that continues on a later page ends before the last item. */
const SHORT_ITEMS: Service = {
	...{ texts: Array<string>(30).fill('a'), pageSize: 12, doCursorsExpire: false },
	...{ cursorText: 'c', hasIds: true, change: 'none' },
};
/** A limit can end exactly with a page. */
const SHORT_PAGES: Service = { ...SHORT_ITEMS, pageSize: 1 };
/** A long cursor must not take the rest of an answer that is nearly full. */
const LONG_CURSOR: Service = {
	...{ ...SHORT_ITEMS, texts: Array<string>(300).fill('a'.repeat(100)), pageSize: 100 },
	cursorText: '"'.repeat(1900),
};
const parameters = fc.record({
	...{ returnAll: fc.boolean(), limit: fc.integer({ min: 1, max: 9 }) },
	sort: fc.constantFrom<IDataObject>({}, { creationTime: 'oldestFirst' }),
	options: fc.constantFrom<IDataObject>({}, { status: 'done', pageSize: 7 }, { pageSize: 7 }),
});

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Calls the tool as a model does, until it names no further cursor, or fails because a list is too long for that. */
async function callUntilEnd(
	{ texts, pageSize, doCursorsExpire, cursorText, hasIds, change }: Service,
	given: { options: IDataObject; sort: IDataObject },
): Promise<[IDataObject[][], number] | undefined> {
	let run = texts.map((name, index): IDataObject => {
		const created_at = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
		return { ...(hasIds && { id: `run_${index}` }), number: index, status: 'done', created_at, name };
	});
	const answers: IDataObject[][] = [];
	const cursorsOfCall = new Set<unknown>();
	let readPages = 0;
	const answer = ({ url, qs }: IHttpRequestOptions) => {
		if (!url.endsWith('/runs')) return itemResponse({ id: 'wf_1' });
		const { cursor, limit } = qs as { cursor?: string; limit?: number };
		if (limit !== given.options.pageSize) return httpResponse(400, '');
		readPages++;
		if (cursor !== undefined && doCursorsExpire && !cursorsOfCall.has(cursor)) return httpResponse(410, '');
		const start = cursor === undefined ? 0 : Number(cursor.slice(cursorText.length));
		const end = start + pageSize;
		const next_cursor = `${cursorText}${end}`;
		cursorsOfCall.add(next_cursor);
		return listResponse(run.slice(start, end), { has_more: end < run.length, next_cursor });
	};
	for (
		let startCursor: unknown;
		startCursor !== null;
		startCursor = answers.at(-1)!.at(-1)?.next_cursor ?? null
	) {
		if (answers.length >= MAX_CALLS) throw new Error('The list never ends');
		cursorsOfCall.clear();
		const { items, message } = await executeNode({
			operation: 'run.getAll',
			parameters: { workflowId: 'wf_1', ...given, startCursor },
			answers: [answer],
			rest: AS_TOOL,
		});
		const canBeTooLong = (doCursorsExpire || cursorText.length > 100) && texts.length >= 20 * pageSize;
		if (canBeTooLong && message?.includes('has no further item on the 20 pages')) return undefined;
		expect(message).toBeUndefined();
		answers.push(items);
		if (change === 'deleted' && answers.length === 1) run = run.slice(1);
		if (change === 'added' && answers.length === 1) run = [{ id: 'added', status: 'done' }, ...run];
	}
	return [answers, readPages];
}

test('an AI model gets every item of a list, in answers of at most 50 kB, if the model sends back each next cursor', async () => {
	await fc.assert(
		fc.asyncProperty(service, parameters, async (given, tool) => {
			const [answers, readPages] = (await callUntilEnd(given, tool)) ?? [];
			if (answers === undefined || readPages === undefined) return;
			// Each page once (again if items move to another page), the page on which a call continues, and one that does
			// not fit into an answer.
			const hasReachedLimit = (answer: IDataObject[]) => !tool.returnAll && answer.length > tool.limit;
			const reads = given.change === 'none' ? 1 : 2;
			const maxPages = reads * (given.texts.length / given.pageSize + 1) + 2 * answers.length;
			const isPlain = Object.keys({ ...tool.options, ...tool.sort }).length === 0;
			if (!given.doCursorsExpire && given.cursorText.length < 100 && isPlain)
				expect(readPages).toBeLessThanOrEqual(maxPages - answers.filter(hasReachedLimit).length);
			for (const answer of answers) {
				expect(bytesOf(answer)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
				const { returned, next_cursor: nextCursor, note } = answer.at(-1) ?? {};
				if (nextCursor === undefined) continue;
				expect(returned).toBe(answer.length - 1);
				expect(note).toMatch(/^There are more items\. .* call this tool again/);
				if (!tool.returnAll) expect(answer.length - 1).toBeLessThanOrEqual(tool.limit);
			}
			const items = answers
				.flat()
				.filter(({ id, next_cursor }) => id !== 'added' && next_cursor === undefined);
			for (const [index, { number, name, note }] of items.entries()) {
				if (number !== undefined) expect(name).toBe(given.texts[Number(number)]);
				else expect(note).toContain('too large');
				if (number === undefined && given.change === 'none')
					expect(bytesOf(given.texts[index])).toBeGreaterThan(40_000);
			}
			// A list that changes between two calls can repeat items, but none is missing.
			if (given.change === 'none') expect(items).toHaveLength(given.texts.length);
			else if (given.hasIds) expect(new Set(items.map(({ id }) => id)).size).toBe(given.texts.length);
			if (given.change !== 'none') return;
			const numbers = items.map(({ number }, index) => number ?? index);
			expect(numbers).toEqual([...given.texts.keys()]);
		}),
		{
			numRuns: 150,
			examples: [
				[SHORT_ITEMS, { returnAll: false, limit: 4, options: {}, sort: {} }],
				[LONG_CURSOR, { returnAll: true, limit: 1, options: {}, sort: {} }],
				[SHORT_PAGES, { returnAll: false, limit: 1, options: {}, sort: {} }],
			],
		},
	);
});

test('a tool reads all pages with the query parameters and returns one answer, even with Return One Page, if the answer is small enough', async () => {
	const pageOf = (first: number) =>
		Array.from({ length: 20 }, (_, index) => ({ id: `run_${first + index}`, text: 'a'.repeat(5000) }));
	const queryParameters = { parameter: [{ name: 'city', value: 'Ghent' }] };
	const { items, queries } = await executeNode({
		operation: 'run.getAll',
		parameters: {
			...{ workflowId: 'wf_1', returnAll: true, output: 'selectedFields', fieldsToReturn: 'status' },
			options: { queryParameters, returnOnePage: true },
		},
		answers: [listResponse(pageOf(0), { has_more: true, next_cursor: 'c2' }), listResponse(pageOf(20))],
		rest: AS_TOOL,
	});
	expect(items).toHaveLength(40);
	expect(queries).toEqual([{ city: 'Ghent' }, { city: 'Ghent', cursor: 'c2' }]);
});

test('the note about results that a tool left out contains the whole run ID if the ID has 512 characters', async () => {
	const runId = 'r'.repeat(512);
	const results = Array.from({ length: 20 }, (_, index) => ({ id: `res_${index}`, text: 'a'.repeat(5000) }));
	const { items } = await executeNode({
		operation: 'run.get',
		parameters: { runId, waitForCompletion: true, returnResults: true },
		answers: [itemResponse({ id: runId, status: 'completed' }), listResponse(results)],
		rest: AS_TOOL,
	});
	expect(items.at(-1)!.note).toContain(`with run '${runId}' and`);
});

const listRuns = async (answers: ExecutionOptions['answers'], rest: object = { returnAll: true }) => {
	const parameters = { workflowId: 'wf_1', ...rest };
	return await executeNode({ operation: 'run.getAll', parameters, answers, rest: AS_TOOL });
};
const pages = [pageResponse(['a'], 'c2'), pageResponse(['b'], 'c3'), pageResponse(['c'])];

test.each([0, 1, 2])(
	'a tool whose last answer ended after item %i reports that the service rejects its own cursors',
	async (limit) => {
		const startCursor = (await listRuns(pages, { limit })).items.at(-1)?.next_cursor ?? '';
		const answer = ({ qs }: IHttpRequestOptions) =>
			(qs as IDataObject).cursor === undefined ? pages[0] : httpResponse(410, '');
		const { message } = await listRuns([answer], { returnAll: true, startCursor });
		expect(message).toContain('The service refused the next page of the list');
	},
);

test('a tool returns an item once if two pages contain the item', async () => {
	const { items } = await listRuns([pageResponse(['a', 'b'], 'c2'), pageResponse(['b', 'c'])]);
	expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a tool returns the first items of a list that continues without a cursor, and its next call reports the missing cursor', async () => {
	const list = async (startCursor: unknown) =>
		await listRuns([listResponse([{ id: 'a' }], { has_more: true })], { limit: 1, startCursor });
	const { items } = await list('');
	const { message } = await list(items[1].next_cursor);
	expect([items[0].id, message]).toEqual(['a', expect.stringContaining('The list ended half-way')]);
});

test('a tool returns no item if its last answer ended with an item without an ID and the list is shorter now', async () => {
	const list = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
	const startCursor = (await listRuns([listResponse(list)], { limit: 2 })).items.at(-1)?.next_cursor;
	expect(startCursor).toMatch(/^next:2:2::/);
	const { message, items } = await listRuns([listResponse(list.slice(0, 1))], { startCursor });
	expect([message, items]).toEqual([undefined, []]);
});

test('a tool whose next page can not be read reports it, and does not begin the list again', async () => {
	const startCursor = (await listRuns(pages, { limit: 1 })).items.at(-1)?.next_cursor;
	const { message } = await listRuns([httpResponse(501, ''), pages[0]], { returnAll: true, startCursor });
	expect(message).toContain('The service answered with status 501');
});

test('a tool accepts a Start Cursor only as it was in an answer for the same list', async () => {
	const cursor = String((await listRuns(pages, { limit: 2 })).items.at(-1)?.next_cursor);
	const list = async (startCursor: string, rest = {}) =>
		await listRuns(pages.slice(1), { startCursor, ...rest });
	expect((await list(cursor)).items).toMatchObject([{ id: 'c' }]);
	const queryParameters = { parameter: { name: 'city', value: 'Ghent' } };
	const options = [{ status: 'a' }, { queryParameters }].map((one) => ({ options: one }));
	const lists = [...options, { workflowId: 'wf_2' }, { sort: { creationTime: 'newestFirst' } }];
	const answers = await Promise.all([
		...['c2', 'next:1:1:x:', `${cursor}x`, cursor.replace(':2:', ':1:')].map((one) => list(one)),
		...lists.map((one) => list(cursor, one)),
	]);
	for (const { message } of answers)
		expect(message).toMatch(/^'Start Cursor' does not belong to this list\. Use the 'next_cursor'/);
});

test('the note instead of an item that is too large has the ID of the item only if the ID is valid', async () => {
	const text = 'a'.repeat(60_000);
	const note = expect.stringContaining('too large') as unknown;
	const { items } = await listRuns([listResponse(['..', 'run_1'].map((id) => ({ id, text })))]);
	expect(items).toEqual([{ note }, { id: 'run_1', note }]);
	const parameters = { workflowId: 'wf_1' };
	const answers = [itemResponse({ id: 'wf_1', text })];
	const single = await executeNode({ operation: 'workflow.get', parameters, answers, rest: AS_TOOL });
	expect(single.items).toEqual([{ id: 'wf_1', note }]);
});

test('a tool returns each item of a list in answers within 50 s, or says that the time is over, however slow the service is', async () => {
	const TIMED_OUT = Object.assign(new Error(), { code: 'ECONNABORTED' });
	const property = fc.asyncProperty(fc.nat(60_000), fc.boolean(), async (responseMs, isSorted) => {
		const sort = isSorted ? { sort: { creationTime: 'newestFirst' } } : {};
		const ids: unknown[] = [];
		let startCursor: unknown = '';
		while (typeof startCursor === 'string') {
			const clock = new FakeClock({ autoAdvance: true });
			const answer = ({ qs, timeout = 0 }: IHttpRequestOptions) => {
				clock.skip(Math.min(responseMs, timeout));
				if (responseMs > timeout) throw TIMED_OUT;
				const page = Number((qs as IDataObject).cursor ?? 0);
				return pageResponse([`${page}`], page < 29 ? `${page + 1}` : undefined);
			};
			const parameters = { workflowId: 'wf_1', returnAll: true, startCursor, ...sort };
			const dependencies = fakeDependencies(clock);
			const options = { parameters, answers: [answer], dependencies, rest: AS_TOOL };
			const { items, message, requests } = await executeNode({ operation: 'run.getAll', ...options });
			expect(clock.now()).toBeLessThanOrEqual(50_000);
			// A shorter time would only end in a message about a slow service.
			for (const { timeout } of requests) expect(timeout).toBeGreaterThanOrEqual(1000);
			if (message !== undefined)
				return expect([isSorted || responseMs > 20_000, message]).toEqual([true, TIME_IS_OVER]);
			const note = items.at(-1)?.next_cursor === undefined ? undefined : items.pop();
			ids.push(...items.map(({ id }) => id));
			startCursor = note?.next_cursor;
		}
		expect(ids).toEqual(Array.from({ length: 30 }, (_, i) => `${i}`));
	});
	await fc.assert(property, { numRuns: 50 });
});

test('a tool that waits for no run answers within 50 s, however long its request may be retried', async () => {
	const dependencies = fakeDependencies();
	const parameters = { workflowId: 'wf_1', options: { retryFor: 300 } };
	await executeNode({
		...{ operation: 'workflow.run', parameters, dependencies, rest: AS_TOOL },
		answers: [httpResponse(503, '')],
	});
	expect(dependencies.clock.now()).toBeGreaterThan(20_000);
	expect(dependencies.clock.now()).toBeLessThanOrEqual(50_000);
});
