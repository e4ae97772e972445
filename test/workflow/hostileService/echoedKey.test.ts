import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../nodes';
import { allTextOf, FORMS, formsIn } from './apiKeyForms';
import { newKey, shownOf, startHostileBench, type HostileBench } from './bench';
import { capturedLog, captureLog, releaseLog } from './logLines';
import { json, list, one, respond, withWorkflow, type Answer } from './service';

let bench: HostileBench;
beforeAll(async () => (bench = await startHostileBench()));
beforeEach(captureLog);
afterEach(releaseLog);
afterAll(async () => await bench.close());

const options = { maxWait: 0, requestTimeout: 5 };
const get = { resource: 'run', operation: 'get', runId: byId('run_1'), options };
// The shortest wait: a run that has not finished by then gives a message.
const waiting = { waitForCompletion: true, options: { ...options, maxWait: 3 } };
const wait = { ...get, ...waiting };
const start = { resource: 'workflow', operation: 'run', workflowId: byId('wf_1'), ...waiting };
const many = { resource: 'workflow', operation: 'getAll', returnAll: true, options };

const text = (body: string, status = 500, headers: Array<[string, string]> = []): Answer =>
	respond(status, body, [['content-type', 'text/plain'], ...headers]);

/** Responses whose words become a message. */
const failures: Array<[string, IDataObject, (form: string) => Answer]> = [
	['the message of an error', get, (form) => json({ error: { message: `Key ${form} is unknown` } }, 400)],
	['the unparsed bytes of an error', get, (form) => text(`{"error":{"message":"Key ${form} is unknown"}}`)],
	['a plain error', get, (form) => text(`Bearer ${form} is unknown`)],
	['a cut off JSON error', get, (form) => text(`{"error":"Key ${form}`)],
	['a plain error that is long', get, (form) => text(`${'x'.repeat(170)} ${form} ${'y'.repeat(3000)}`)],
	['a web page', get, (form) => text(`<html>${form}</html>`)],
	['JSON without a message', get, (form) => json({ key: form, [form]: 1 }, 422)],
	['the request id of an error', get, (form) => json({ error: { message: 'No', request_id: form } }, 404)],
	['the header x-request-id', get, (form) => text('', 500, [['x-request-id', form]])],
	['the header location', get, (form) => text('', 302, [['location', `https://example.com/?key=${form}`]])],
	['the host of the header location', get, (form) => text('', 302, [['location', `https://${form}/`]])],
	['the header retry-after', get, (form) => text('', 429, [['retry-after', form]])],
	['the status of a run', wait, (form) => one({ id: 'run_1', status: form })],
	['the id of a started run', start, (form) => one({ id: form, status: form })],
	['the cursor of a circle', many, (form) => list([{ id: 'a' }], form)],
	['something that is no envelope', get, (form) => json({ [form]: form, request_id: form })],
];

/** A leak, as a test reports it: in which form the service repeated the key, and where it was found. */
type Leak = [form: string, where: string, readableAs: string[]];

/** Does the same with every form of a key, all at once, and returns what shows it. */
async function leaksOf(
	work: (repeated: string, key: string) => Promise<Record<string, unknown>>,
): Promise<Leak[]> {
	const keys: string[] = [];
	const ofForms = Object.entries(FORMS).map(async ([form, write]) => {
		const key = newKey();
		keys.push(key);
		const shown = await work(write(key), key);
		return Object.entries(shown).map(([where, value]): Leak => [form, where, formsIn(allTextOf(value), key)]);
	});
	const leaks = (await Promise.all(ofForms)).flat();
	const log = capturedLog();
	const inLog = keys.map((key, index): Leak => [Object.keys(FORMS)[index], 'log', formsIn(log, key)]);
	return [...leaks, ...inLog].filter(([, , readableAs]) => readableAs.length > 0);
}

describe('An API key that the service repeats is in no message, log line or hint', () => {
	it.each(failures)('when it is in %s', async (_, parameters, answerWith) => {
		const leaks = await leaksOf(async (repeated, key) => {
			const target = await bench.target(answerWith(repeated), key);
			const [stopped, continued] = await Promise.all(
				(['stopWorkflow', 'continueRegularOutput'] as const).map(
					async (onError) => await target.start(parameters, [{}], { onError }).finished,
				),
			);
			expect(target.requests.length).toBeGreaterThan(0);
			return { 'failed execution': stopped, 'item with an error': continued };
		});
		expect(leaks).toEqual([]);
	});

	it.each(failures)('when a credential test gets it in %s', async (_, _parameters, answerWith) => {
		const leaks = await leaksOf(async (repeated, key) => {
			const target = await bench.target(answerWith(repeated), key);
			return { message: await target.testCredential() };
		});
		expect(leaks).toEqual([]);
	});

	it.each(failures)('when the picker or the trigger gets it in %s', async (_, _parameters, answerWith) => {
		const thrownBy = async (work: () => Promise<unknown>) => await work().catch((error: unknown) => error);
		const leaks = await leaksOf(async (repeated, key) => {
			// A key that is not accepted is never retried.
			const answer: Answer = (socket, request) => {
				const write = socket.write.bind(socket);
				socket.write = ((data: string) => {
					socket.write = write;
					return write(data.replace(/^HTTP\/1\.1 (5\d\d|429)/, 'HTTP/1.1 401'));
				}) as typeof socket.write;
				answerWith(repeated)(socket, request);
			};
			const target = await bench.target(answer, key);
			const trigger = target.trigger({ event: 'newRun', watch: 'all' });
			return {
				picker: await thrownBy(async () => shownOf(await target.ask('listSearch', 'searchWorkflows'))),
				test: await thrownBy(async () => await trigger.test()),
				activation: await thrownBy(async () => await trigger.activate()),
			};
		});
		expect(leaks).toEqual([]);
	});
});

describe('An API key that the service repeats in a resource', () => {
	const resource = (repeated: string) => ({
		...{ id: 'run_1', status: 'completed', name: repeated, url: `https://example.com/?k=${repeated}` },
		nested: { list: [`before ${repeated} after`] },
	});

	it('is in no item, hint or log line', async () => {
		const leaks = await leaksOf(async (repeated, key) => {
			const target = await bench.target((socket, request) => {
				const isList = /workflows$|runs$|results$/.test(request.path);
				const answer = isList ? list([resource(repeated)]) : one(resource(repeated), repeated);
				answer(socket, request);
			}, key);
			const finished = async (parameters: IDataObject) => await target.start(parameters).finished;
			return {
				'Run › Get': await finished(get),
				'Workflow › Get Many': await finished(many),
				'Wait for Completion': await finished(wait),
			};
		});
		expect(leaks).toEqual([]);
	});

	it('is in no entry of a picker', async () => {
		const leaks = await leaksOf(async (repeated, key) => {
			const target = await bench.target(list([{ ...resource(repeated), status: repeated }]), key);
			return {
				workflows: shownOf(await target.ask('listSearch', 'searchWorkflows')),
				runs: shownOf(await target.ask('listSearch', 'searchRuns')),
				options: await target.ask('loadOptions', 'getWorkflows'),
				fields: await target.ask('resourceMapping', 'getWorkflowFields'),
			};
		});
		expect(leaks).toEqual([]);
	});

	it('is in no item and no memory of the trigger', async () => {
		const leaks = await leaksOf(async (repeated, key) => {
			const target = await bench.target(withWorkflow(list([])), key);
			const parameters = { event: 'runStatusChanged', watch: 'one', workflowId: byId('wf_1') };
			const trigger = target.trigger(parameters);
			await trigger.activate();
			target.answer(list([{ ...resource(repeated), status: repeated }]));
			const items = await trigger.tick();
			expect(items).toHaveLength(1);
			return { items, 'static data': trigger.staticData };
		});
		expect(leaks).toEqual([]);
	});
});

it('keeps text that only looks like an encoded key', async () => {
	const target = await bench.target(json({ error: { message: 'sk_live 100%25 c2tfbGl2ZQ== ok' } }, 400));
	const run = await target.start(get).finished;
	expect(run.data.resultData.error?.description).toContain('sk_live 100%25 c2tfbGl2ZQ== ok');
});

it.each(Object.entries(FORMS))('finds a key that is repeated in this form: %s', (_, write) => {
	const key = newKey();
	expect(formsIn(allTextOf({ error: new Error(`x ${write(key)} y`) }), key)).not.toEqual([]);
	expect(formsIn(allTextOf({ error: new Error(`x ${write(newKey())} y`) }), key)).toEqual([]);
});
