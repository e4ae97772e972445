import type { IDataObject } from 'n8n-workflow';
import { fail } from '../messages/userMessage';
import { FieldSelector } from '../model/resource';
import { CREDENTIAL_NAME, openClient } from '../openClient';
import { readParameters } from '../parameters/parameter';
import { ParameterReader } from '../parameters/parameterReader';
import { maxConcurrentRequests } from '../parameters/executionOptions';
import type { Client } from '../transport/request/client';
import { toText } from '../utils';
import { allParameters, type ItemContext, type Operation, type SharedContext } from './operation';
import { resources } from './resources';

/** Executes the operation of each input item with the item's own values. */
export class ItemProcessor {
	private readonly parameterReader: ParameterReader;
	/** By credential and Retry For, which can contain expressions: parsing the credential for every item costs 3 % of a read. */
	private readonly clients = new Map<string, Client>();

	constructor(private readonly sharedContext: SharedContext) {
		const { context, dependencies } = sharedContext;
		this.parameterReader = new ParameterReader(context, dependencies.turns);
	}

	/**
	 * Returns how many items to process at the same time: n8n reads the first item's value for all items. Never throws,
	 * because each item reports its invalid values itself.
	 */
	concurrency(): number {
		try {
			const { canRunConcurrently } = this.operationOf(0);
			return canRunConcurrently ? maxConcurrentRequests.read(this.parameterReader.rawParameters(0)) : 1;
		} catch {
			return 1;
		}
	}

	/**
	 * Reads the values of an item, and returns a function that executes its operation. Call it for all items before the
	 * first one is executed: an item that can't be executed is noticed before anything is changed.
	 *
	 * @throws RequestError or UserError, or what n8n throws for a parameter or the credential
	 */
	async prepare(itemIndex: number): Promise<() => Promise<IDataObject[]>> {
		const { context, dependencies, signal, hints } = this.sharedContext;
		const operation = this.operationOf(itemIndex);
		const rawParameters = this.parameterReader.rawParameters(itemIndex);
		const values = await readParameters(allParameters(operation), rawParameters);
		const credential = await context.getCredentials(CREDENTIAL_NAME, itemIndex);
		const { retryFor: retryForMs } = values;
		const settings = { retryForMs, signal, stats: hints.stats };
		const key = JSON.stringify([retryForMs, credential]);
		const client = this.clients.get(key) ?? openClient(context, credential, settings, dependencies);
		this.clients.set(key, client);
		const { fieldSelection = { simplify: false, fields: [] } } = values;
		const selector = new FieldSelector(fieldSelection);
		const itemContext: ItemContext = { ...this.sharedContext, itemIndex, client, retryForMs, selector };
		await operation.prepare?.(values, itemContext);
		return async () => {
			const items = await operation.execute(values, itemContext);
			const selectedItems = itemContext.hasSelectedFields ? items : items.map(selector.select);
			const names = itemIndex === 0 ? selector.unknownNames() : [];
			if (names.length > 0) hints.add('unknownFields', '', { names, knownNames: selector.knownNames ?? [] });
			return selectedItems;
		};
	}

	private operationOf(itemIndex: number): Operation {
		const resource = this.parameterReader.read('resource', itemIndex);
		const operationName = this.parameterReader.read('operation', itemIndex);
		const operations = resources.find(({ option }) => option.value === resource)?.operations;
		const operation = operations?.find(({ option }) => option.value === operationName);
		if (operation) return operation;
		const names = `'${toText(operationName)}' for the resource '${toText(resource)}'`;
		return fail(`There is no operation ${names}`, "Pick one in 'Operation'");
	}
}
