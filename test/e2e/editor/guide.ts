import Table from 'cli-table3';

export interface Open {
	/** n8n's version. */
	version: string;
	url: string;
	email: string;
	password: string;
	sandbox: { baseUrl: string; controlUrl: string };
	credentials: Array<{ name: string; what: string }>;
	/** Names of the imported n8n workflows. */
	examples: string[];
}

/** What is asked of the sandbox by a command line. */
const curl = (method: 'GET' | 'POST', url: string, body?: object) =>
	[
		'     curl -s',
		...(method === 'GET' ? [] : [`-X ${method}`]),
		url,
		...(body ? [`-H 'content-type: application/json' -d '${JSON.stringify(body)}'`] : []),
	].join(' ');

/** Where to click: what the command prints once everything is there. */
export function guide({ version, url, email, password, sandbox, credentials, examples }: Open): string {
	const { baseUrl, controlUrl } = sandbox;
	// The run is started, and then its answer is harmed, once.
	const start = { match: { operation: 'runWorkflow' }, when: 'after' };
	const table = new Table({ head: ['Credential', 'Its key'], style: { head: [], border: [] } });
	table.push(...credentials.map(({ name, what }) => [name, what]));
	return `
n8n ${version} is open, with this package installed. The service behind it is the sandbox.

  n8n       ${url}
  E-mail    ${email}
  Password  ${password}
  Sandbox   ${baseUrl}

${table.toString()}

Examples, with the first credential chosen:
${examples.map((name) => `  - ${name}`).join('\n')}

What to try
  1. Log in, open 'Prospector: run and collect', press 'Execute workflow'. The run takes a few seconds; each item
     that comes out has the request_id of the answer that brought it.
  2. Open the node 'Start a run and wait', choose '${credentials[1]?.name}' as its credential,
     press 'Execute step': it says what is missing and who can give it. Choose the first credential again.
  3. Lose an answer, then execute again. The run is not started a second time: 'started' grows by one.
${curl('POST', `${controlUrl}/faults`, { ...start, kind: 'drop' })}
${curl('GET', `${controlUrl}/runs`)}
  4. Let a web page come in place of the answer, as from a proxy in trouble, then execute: it fails, though the run was
     started. Open 'Executions', choose the failed one and press Retry: you get the run that was started before.
${curl('POST', `${controlUrl}/faults`, { ...start, kind: 'notJson' })}
  5. Revoke the key, then open the first credential (Overview, Credentials) and press Retry: it says so.
${curl('POST', `${controlUrl}/keys/full/revoke`)}
     Everything in the sandbox as it was:
${curl('POST', `${controlUrl}/reset`)}
  6. In an n8n workflow of your own, press +, search for 'prospector' and pick an action.

Each request to the sandbox is a line below. Ctrl+C stops both, and nothing of them stays.
`;
}
