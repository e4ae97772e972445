// Reads the parameters of each input item, and executes its operation with them. Called by the router, which prepares
// all items before the first one is executed. More tests: test/unit/actions/router.test.ts.
import { throwUserError } from '../messages/userMessage';
import { FieldSelector } from '../model/resource';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import { type RawParameters, readParameters } from '../parameters/parameter';
import { createParameterReader } from '../parameters/parameterReader';
import { TOOL_ANSWER_MS } from '../parameters/executionOptions';
import { Semaphore } from '../transport/semaphore';
import { toText } from '../utils';
import { allParameters, type ItemTask, type Operation, type SharedContext } from './operation';
import { resources } from './resources';

export class ItemProcessor {
	private readonly readItem: ReturnType<typeof createParameterReader>;
	/** One for all items with the same selection. */
	private readonly selectors = new Map<string, FieldSelector>();
	private semaphore?: Semaphore;
	/** How many items to begin at the same time, once all are prepared. */
	concurrency = 1;

	constructor(private readonly sharedContext: SharedContext) {
		const { context, dependencies } = sharedContext;
		this.readItem = createParameterReader(context, dependencies.turns);
	}

	/**
	 * Reads the values of an item. Call it for all items before the first one is executed: an item that can't be executed is
	 * noticed before anything is changed.
	 *
	 * @throws UserError, or what n8n throws for a parameter or the credential
	 */
	async prepare(itemIndex: number): Promise<ItemTask> {
		const { beganAtMs, context, dependencies, hints, isTool, signal } = this.sharedContext;
		const rawParameters = this.readItem(itemIndex);
		const operation = findOperation(rawParameters);
		const values = await readParameters(allParameters(operation), rawParameters);
		const credential = await context.getCredentials(CREDENTIAL_NAME, itemIndex);
		const { retryFor: retryForMs, wait, maxConcurrentRequests = 1 } = values;
		// The first item's value applies to all items: it limits how many of them, and of their requests, run at the same time.
		if (this.semaphore === undefined) this.concurrency = maxConcurrentRequests;
		this.semaphore ??= new Semaphore(maxConcurrentRequests);
		// One write among the items is enough: another item may write to the same resource.
		if (!operation.canRunConcurrently) this.concurrency = 1;
		// The caller of a tool gives up soon after this time, and would not see what is started later.
		const answerByMs = isTool ? beganAtMs + Math.max(wait?.waitUpToMs ?? 0, TOOL_ANSWER_MS) : Infinity;
		const timeLeftMs = () => Math.max(answerByMs - dependencies.clock.now(), 0);
		const budget = { timeLeftMs };
		const settings = { retryForMs, signal, stats: hints.stats, semaphore: this.semaphore, budget };
		const client = openClient(this.sharedContext, credential, settings, dependencies);
		const { fieldSelection = { simplify: false, fields: [] } } = values;
		const selectionKey = JSON.stringify(fieldSelection);
		const selector = this.selectors.get(selectionKey) ?? new FieldSelector(fieldSelection);
		this.selectors.set(selectionKey, selector);
		const itemContext = { ...this.sharedContext, itemIndex, client, selector, answerByMs };
		return async () => await operation.execute(values, itemContext);
	}

	/** Adds a hint about names in Fields to Return that no item has. Call it once all items are executed. */
	addFieldHint(): void {
		for (const { knownNames, missingNames } of this.selectors.values())
			if (knownNames !== undefined && missingNames.size > 0)
				this.sharedContext.hints.add('unknownFields', '', { names: [...missingNames], knownNames });
	}
}

/** @throws UserError if there is none */
function findOperation({ getField }: RawParameters): Operation {
	const resource = getField('resource');
	const operationName = getField('operation');
	const operations = resources.find(({ option }) => option.value === resource)?.operations;
	const operation = operations?.find(({ option }) => option.value === operationName);
	if (operation) return operation;
	const names = `'${toText(operationName)}' for the resource '${toText(resource)}'`;
	return throwUserError(`There is no operation ${names}`, "Pick one in 'Operation'");
}
