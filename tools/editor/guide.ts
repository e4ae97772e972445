import type { Sandbox } from '../../sandbox/types';
import type { N8n } from '../../test/e2e/n8n/instance';
import { OWNER } from '../../test/e2e/n8n/rest';
import { markdownTable } from '../shared/docs';
import { CREDENTIALS } from './contents';

const curl = (method: 'GET' | 'POST', url: string, body?: object) =>
	[
		'     curl -s',
		...(method === 'GET' ? [] : [`-X ${method}`]),
		url,
		...(body ? [`-H 'content-type: application/json' -d '${JSON.stringify(body)}'`] : []),
	].join(' ');

/** Returns the text that the command prints when n8n is ready. @param examples names of the imported n8n workflows */
export function guide({ target, baseUrl }: N8n, sandbox: Sandbox, examples: string[]): string {
	const { controlUrl } = sandbox;
	const credentials = Object.values(CREDENTIALS);
	// The run is started, and then one response is lost or replaced.
	const start = { match: { operation: 'runWorkflow' }, when: 'after' };
	const rows = credentials.map(({ name, description }) => [name, description]);
	return `
n8n ${target.version} is open, with this package installed. The service behind it is the sandbox.

  n8n       ${baseUrl}
  E-mail    ${OWNER.email}
  Password  ${OWNER.password}
  Sandbox   ${sandbox.baseUrl}

${markdownTable([['Credential', 'Its key'], ...rows])}

n8n workflows, with the first credential chosen in each Prospector node:
${examples.map((name) => `  - ${name}`).join('\n')}

What to try
  1. Log in, open 'Prospector: run and collect', press 'Execute workflow'. The run takes a few seconds. You get
     one item per company found, with the request_id of the response that contained it.
  2. Open the node 'Run it and get its leads', choose '${credentials[1].name}' as its credential,
     press 'Execute step': it says which scope is missing and whom to ask for it. Choose the first credential again.
  3. Lose a response, then execute again. The run is not started a second time: 'started' grows by one.
${curl('POST', `${controlUrl}/faults`, { ...start, kind: 'drop' })}
${curl('GET', `${controlUrl}/runs`)}
  4. Replace a response by a web page, as a broken proxy does, then execute: it fails, although the run was started.
     Open 'Executions', choose the failed one and press Retry: you get the results of the run that was started before.
${curl('POST', `${controlUrl}/faults`, { ...start, kind: 'notJson' })}
  5. Revoke the key, then open the first credential (Overview, Credentials) and press Retry: it says so.
${curl('POST', `${controlUrl}/keys/full/revoke`)}
     Reset the sandbox:
${curl('POST', `${controlUrl}/reset`)}
  6. In an n8n workflow of your own, press +, search for 'prospector' and pick an action.

Each request to the sandbox is a line below. Ctrl+C stops both and deletes their data.
`;
}
