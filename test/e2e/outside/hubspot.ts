import type { IDataObject } from 'n8n-workflow';
import type { OutsideRequest, OutsideService, Reply } from './proxy';

const failure = (status: number, message: string, more: IDataObject = {}): Reply => ({
	status,
	body: { status: 'error', message, correlationId: 'a43683b0-5717-4ceb-80b4-104d02915d8c', ...more },
});

export const RATE_LIMITED = failure(429, 'You have reached your ten_secondly_rolling limit.', {
	errorType: 'RATE_LIMIT',
	policyName: 'TEN_SECONDLY_ROLLING',
});
export const INTERNAL_ERROR = failure(500, 'internal error');

/** HubSpot's companies. */
export class HubSpot implements OutsideService {
	readonly hosts = ['api.hubapi.com'];
	readonly credential = { appToken: 'pat-eu1-token' };
	nextReplies: OutsideService['nextReplies'] = [];
	requests: OutsideRequest[] = [];
	/** The properties of each company, in order of creation. */
	companies: Array<Record<string, string>> = [];
	/** Names that HubSpot refuses. */
	refusedNames: string[] = [];

	answer({ method, path, body, token }: OutsideRequest): Reply {
		if (token !== this.credential.appToken) return failure(401, 'Authentication credentials not found.');
		if (`${method} ${path}` !== 'POST /companies/v2/companies') return failure(404, 'resource not found');
		const properties = body.properties as Array<{ name: string; value: string }>;
		const company = Object.fromEntries(properties.map(({ name, value }) => [name, value]));
		if (!company.name || this.refusedNames.includes(company.name))
			return failure(400, 'Property values were not valid', { category: 'VALIDATION_ERROR' });
		this.companies.push(company);
		const stored = properties.map(({ name, value }) => [name, { value, source: 'INTEGRATION' }] as const);
		return {
			body: {
				portalId: 62515,
				companyId: 10_444_744 + this.companies.length,
				isDeleted: false,
				properties: Object.fromEntries(stored),
			},
		};
	}
}
