import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Client } from '../transport/request/client';
import type { HintCollector } from './hintCollector';

/** One input item's turn at an operation. */
export interface ItemContext {
	context: IExecuteFunctions;
	client: Client;
	itemIndex: number;
	/** For what a person is to be told beside the items, once for all of them. */
	notes: HintCollector;
	/** Given when nobody waits for the outcome any more. */
	signal?: AbortSignal;
}

/** Everything there is to know about one operation, in one file. */
export interface Operation {
	/** How it stands in the list of operations. */
	option: INodePropertyOptions & { value: string };
	/** Whether items may be worked on at the same time: it changes nothing. */
	concurrent?: boolean;
	/** Its fields; when they show is settled by the resource. */
	properties: INodeProperties[];
	/**
	 * Does it for one item.
	 *
	 * @returns the output items' data
	 * @throws NodeApiError when the service refuses, NodeOperationError when a field cannot be used
	 */
	execute(run: ItemContext): Promise<IDataObject[]>;
}

/** A resource and its operations. */
export interface Resource {
	/** How it stands in the list of resources. */
	option: INodePropertyOptions & { value: string };
	/** In the order in which they are listed: by name. */
	operations: Operation[];
}
