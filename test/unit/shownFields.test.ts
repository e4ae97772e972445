import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { findOperation, nodeProperties } from '../../nodes/Prospector/actions/resources';
import { NODE } from './helpers/support';

/** The names of the fields that the editor shows for these parameters. */
function shown(parameters: INodeParameters): string[] {
	const node = { ...NODE, parameters };
	return nodeProperties()
		.filter((property) => NodeHelpers.displayParameter(parameters, property, node, null))
		.map(({ name }) => name);
}

/** The names of the options that the editor offers for these. */
function offered(resource: string, operation: string, options: INodeParameters): string[] {
	const parameters = { resource, operation, options };
	const all = findOperation(resource, operation)?.properties.at(-1)?.options as INodeProperties[];
	const node = { ...NODE, parameters };
	return all
		.filter((option) => NodeHelpers.displayParameterPath(parameters, option, 'options', node, null))
		.map(({ name }) => name);
}

const list = { resource: 'result', operation: 'getAll', returnAll: false };

describe('the editor shows', () => {
	test.each<[string, INodeParameters, string[]]>([
		['Limit without Return All', {}, ['returnAll', 'limit']],
		['no Limit with Return All', { returnAll: true }, ['returnAll']],
		['neither with Return One Page', { options: { returnOnePage: true } }, []],
		['neither with both', { returnAll: true, options: { returnOnePage: true } }, []],
		['both where it is turned off', { options: { returnOnePage: false } }, ['returnAll', 'limit']],
		[
			'both where an expression settles it',
			{ options: { returnOnePage: '={{ $json.paged }}' } },
			['returnAll', 'limit'],
		],
	])('%s', (_, parameters, expected) => {
		const names = shown({ ...list, ...parameters }).filter((name) => ['returnAll', 'limit'].includes(name));
		expect(names).toEqual(expected);
	});

	test.each<[string, INodeParameters, boolean]>([
		['by default', {}, true],
		['where the warning is on', { warnIfUnfinished: true }, true],
		['not where it is off', { warnIfUnfinished: false }, false],
	])('Finished Statuses of a list of results %s', (_, options, isOffered) => {
		expect(offered('result', 'getAll', options).includes('finishedStatuses')).toBe(isOffered);
	});

	test.each(['create', 'update'])(
		'fields by hand for %s in both ways to map, and not with JSON',
		(operation) => {
			const fieldsFor = (rest: INodeParameters) => shown({ resource: 'workflow', operation, ...rest });
			for (const mappingMode of ['defineBelow', 'autoMapInputData']) {
				const parameters = { specifyBody: 'fields', fields: { mappingMode, value: null } };
				expect(fieldsFor(parameters)).toContain('additionalFields');
			}
			expect(fieldsFor({ specifyBody: 'json' })).not.toContain('additionalFields');
		},
	);
});
