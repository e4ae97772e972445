// What an operation is, and what it may use. Each `*.operation.ts` defines one with `defineOperation`; the item
// processor executes it. Tests: test/unit/actions/router.test.ts, test/workflow/operations.test.ts.
import type { IDataObject, IExecuteFunctions, INodePropertyOptions } from 'n8n-workflow';
import { unexpectedResourceMessage, wrongWorkflowMessage } from '../messages/runMessages';
import { UserError } from '../messages/userMessage';
import { namesAnother, type FieldSelection, type FieldSelector } from '../model/resource';
import type { Parameter, ParameterMap, ValuesOf } from '../parameters/parameter';
import { maxConcurrentRequests, retryFor } from '../parameters/executionOptions';
import type { Dependencies } from '../transport/dependencies';
import type { ApiRequest } from '../api/apiRequest';
import type { AwaitedRun } from '../api/failure/requestError';
import type { Client } from '../transport/request/client';
import { toText } from '../utils';
import type { Redactor } from '../messages/redact';
import type { HintCollector } from '../messages/hintCollector';
import type { NodeCall } from './nodeCall';

/** What the input items of one execution of the node share. */
export interface SharedContext {
	context: IExecuteFunctions;
	redactor: Redactor;
	hints: HintCollector;
	dependencies: Dependencies;
	nodeCall: NodeCall;
	/** Aborted when the execution is canceled or another item has failed it. */
	signal: AbortSignal;
	isTool: boolean;
	/** On the clock: when the execution of the node began. */
	beganAtMs: number;
}

/** What an operation may use besides its parameters, for one input item. */
export interface ItemContext extends SharedContext {
	itemIndex: number;
	client: Client;
	selector: FieldSelector;
	/**
	 * On the clock: when a tool must have answered; Infinity for another caller. Each request ends by then. A wait for
	 * results ends `MIN_ATTEMPT_MS` earlier, so that its last request has time.
	 */
	answerByMs: number;
}

type OperationParameters = ParameterMap & {
	fieldSelection?: Parameter<FieldSelection>;
	/** How to wait for a run; undefined not to wait. */
	wait?: Parameter<{ waitUpToMs: number } | undefined>;
};

/**
 * One of up to three tasks of an input item: to prepare it, to execute it, and to wait for what it has started. Returns
 * its output items, or the next task.
 */
export type ItemTask = () => Promise<IDataObject[] | ItemTask>;

interface OperationDefinition<P extends OperationParameters> {
	option: INodePropertyOptions & { value: string };
	/** Whether items can be processed at the same time, because the operation changes nothing. */
	canRunConcurrently?: boolean;
	/** Everything the operation reads, besides the settings of its requests. */
	parameters: P;
	/** Returns the output items, or what waits for them, side by side with other items. @throws RequestError or UserError */
	execute(values: ValuesOf<P>, itemContext: ItemContext): ReturnType<ItemTask>;
}

export type Operation = OperationDefinition<OperationParameters>;

/** An option of the node's parameter *Resource*, with its operations. */
export type NodeResource = Pick<Operation, 'option'> & { operations: Operation[] };

/** Infers the type of the values from the parameters. */
export const defineOperation = <P extends OperationParameters>(
	definition: OperationDefinition<P>,
): Operation => definition;

/** Returns the parameters of an operation with those that all operations have. */
export function allParameters({ canRunConcurrently, parameters }: Operation) {
	const isConcurrent = canRunConcurrently || 'wait' in parameters;
	return { retryFor, ...(isConcurrent && { maxConcurrentRequests }), ...parameters };
}

/**
 * Requests one resource. If an ID names it, the response must contain that one.
 *
 * @param addDerivedFields adds fields that follow from those of the resource
 * @throws RequestError; UserError if it is another resource
 */
export async function requestResource(
	{ client, selector }: ItemContext,
	request: ApiRequest,
	addDerivedFields = (resource: IDataObject) => resource,
): Promise<IDataObject[]> {
	const { data, requestId } = await client.request(request);
	requireExpectedId(data[0], request, requestId);
	return [selector.toItem(addDerivedFields(data[0]), requestId)];
}

/** @throws UserError if the service returns another resource than the requested one */
export function requireExpectedId({ id }: IDataObject, { ids = {} }: ApiRequest, requestId: string): void {
	const expectedId = ids.run_id ?? ids.workflow_id;
	if (expectedId === undefined || !namesAnother(id, expectedId)) return;
	const resourceKind = ids.run_id === undefined ? 'workflow' : 'run';
	throw new UserError(unexpectedResourceMessage(resourceKind, toText(id), expectedId, requestId));
}

/** @throws UserError if a run belongs to another Prospector workflow */
export function requireRunOfWorkflow(run: IDataObject, expectedRun: AwaitedRun, requestId: string): void {
	const { workflow_id: receivedId } = run;
	const { expectedWorkflowId } = expectedRun;
	if (expectedWorkflowId === undefined || !namesAnother(receivedId, expectedWorkflowId)) return;
	throw new UserError(wrongWorkflowMessage(expectedRun, toText(receivedId), requestId));
}
