import type { IDataObject } from 'n8n-workflow';
import { invalid } from '../messages/userMessage';
import { selectFields, unknownFields } from '../model/resource';
import { CREDENTIAL, openClient } from '../openClient';
import { readParameters } from '../parameters/parameter';
import { ParameterReader } from '../parameters/parameterReader';
import { maxConcurrentRequests } from '../parameters/executionOptions';
import { toText } from '../utils';
import { allParameters, type Operation, type SharedContext } from './operation';
import { resources } from './resources';

/** Executes the operation of each input item with the item's own values. */
export class ItemProcessor {
	private readonly parameters: ParameterReader;

	constructor(private readonly shared: SharedContext) {
		this.parameters = new ParameterReader(shared.context);
	}

	/**
	 * Returns how many items to process at the same time: n8n reads the first item's value for all items. Never throws,
	 * because each item reports its invalid values itself.
	 */
	concurrency(): number {
		try {
			const { concurrent } = this.operationOf(0);
			return concurrent ? maxConcurrentRequests.read(this.parameters.valuesOf(0)) : 1;
		} catch {
			return 1;
		}
	}

	/** @throws RequestError or UserError, or what n8n throws for a parameter or the credential */
	async process(itemIndex: number): Promise<IDataObject[]> {
		const { context, dependencies, signal, hints } = this.shared;
		const operation = this.operationOf(itemIndex);
		const values = readParameters(allParameters(operation), this.parameters.valuesOf(itemIndex));
		// Both can contain expressions. The rate limiter is shared in any case.
		const credential = await context.getCredentials(CREDENTIAL, itemIndex);
		const settings = { retryForMs: values.retryFor, queueKey: signal, signal, stats: hints.stats };
		const client = openClient(context, credential, settings, dependencies);
		const items = await operation.execute(values, { ...this.shared, itemIndex, client });
		const { selection } = values;
		if (selection === undefined) return items;
		const unknown = itemIndex === 0 ? unknownFields(items, selection) : [];
		if (unknown.length > 0) hints.unknownFields = { names: unknown, known: Object.keys(items[0]) };
		return items.map((item) => selectFields(item, selection));
	}

	private operationOf(itemIndex: number): Operation {
		const resource = this.parameters.read('resource', itemIndex);
		const name = this.parameters.read('operation', itemIndex);
		const operations = resources.find(({ option }) => option.value === resource)?.operations;
		return (
			operations?.find(({ option }) => option.value === name) ??
			invalid(
				`There is no operation '${toText(name)}' for the resource '${toText(resource)}'`,
				"Pick one in 'Operation'",
			)
		);
	}
}
