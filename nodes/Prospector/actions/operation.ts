import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { HintCollector } from '../messages/hintMessages';
import type { KeyChoice } from '../parameters/idempotencyKey';
import type { FieldSelection } from '../parameters/outputFields';
import type { Parameter, Parameters, ValuesOf } from '../parameters/parameter';
import { maxConcurrentRequests, requestSettings } from '../parameters/requestSettings';
import type { Dependencies } from '../transport/dependencies';
import type { ApiRequest } from '../transport/request/apiRequest';
import type { Client } from '../transport/request/client';

/** What an operation may use besides its parameters, for one input item. */
export interface ItemContext {
	client: Client;
	hints: HintCollector;
	dependencies: Dependencies;
	/** Aborted when the execution is canceled or another item has failed it. */
	signal: AbortSignal;
	/** Status checks of this node execution, by run ID: each run is checked once. */
	statusChecks: Map<string, Promise<string | undefined>>;
	/** Returns the idempotency key for a request; undefined if none is sent. */
	idempotencyKey(choice: KeyChoice, operation: string, request: ApiRequest): string | undefined;
	/** Saves a request ID with the execution, so that n8n's list of executions finds it. */
	saveRequestId(requestId: string): void;
	log(line: string): void;
}

type OperationParameters = Parameters & { selection: Parameter<FieldSelection> };

interface OperationDefinition<P extends OperationParameters> {
	option: INodePropertyOptions & { value: string };
	/** Whether items can be processed at the same time, because the operation changes nothing. */
	concurrent?: boolean;
	/** Everything the operation reads, besides the settings of its requests. */
	parameters: P;
	/**
	 * Returns the output items of one input item.
	 *
	 * @throws RequestError or UserError
	 */
	execute(values: ValuesOf<P>, item: ItemContext): Promise<IDataObject[]>;
}

export type Operation = OperationDefinition<OperationParameters>;

/** Infers the type of the values from the parameters. */
export const defineOperation = <P extends OperationParameters>(
	definition: OperationDefinition<P>,
): Operation => definition;

/** A resource and its operations, in the order of the editor. */
export interface Resource {
	option: INodePropertyOptions & { value: string };
	operations: Operation[];
}

/** Returns the parameters of an operation with those that all operations have. */
export function allParameters({ concurrent, parameters }: Operation) {
	return { ...requestSettings, ...(concurrent && { maxConcurrentRequests }), ...parameters };
}
