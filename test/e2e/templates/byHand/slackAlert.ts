import { NEXT_POLL_TIMEOUT_MS } from '../../trigger/polling';
import { eventually } from '../../../eventually';
import { node } from '../../../nodes';
import { MESSAGES, TWO_FAILURES } from './otherSystems';
import type { Template } from './template';

const NAME = `Broken "down" 🔥 <!channel> & 'more' \\n`;
const ESCAPED = `Broken "down" 🔥 &lt;!channel&gt; &amp; 'more' \\n`;

/** Posts one message for each failed run, and for an n8n execution that has failed, even if Slack fails twice. */
export const slackAlert: Template = {
	prepare({ e2e }) {
		const [workflowId] = e2e.control.seed({ workflows: [{ name: NAME }] }).workflows;
		e2e.control.seed({ runs: [{ workflowId, status: 'failed', results: 0 }] });
	},
	steps: [
		['When a run has failed', 'test'],
		['Send the alert', 'pick', 'channelId', 'alerts'],
		['Send the alert', 'test'],
	],
	async check({ e2e, recorder }, { id: errorWorkflow }) {
		const texts = () => recorder.bodiesOf(MESSAGES).map(({ text }) => String(text));
		const messages = async (count: number) =>
			await eventually(
				`${count} messages`,
				() => texts().length >= count && texts(),
				2 * NEXT_POLL_TIMEOUT_MS,
			);
		const [workflowId] = e2e.control.seed({ workflows: [{ name: NAME }] }).workflows;
		recorder.nextReplies.push(undefined, ...TWO_FAILURES);
		const runs = ['completed', 'timed_out', 'failed'].map((status) => ({ workflowId, status, results: 0 }));
		const [, late, failed] = e2e.control.seed({ runs }).runs;
		// A status that only repeats the word is left out.
		const expected = (runId: string, status: string) =>
			expect.stringMatching(
				new RegExp(
					`^Run of "${ESCAPED.replaceAll('\\', '\\\\')}" failed${status}\n` +
						`Run: ${runId}\nRequest ID, for questions to the service: req_\\w+$`,
				),
			);
		const sent = new Set(await messages(4));
		expect(sent.size).toBe(2);
		expect([...sent]).toEqual(
			expect.arrayContaining([expected(late, ' \\(timed_out\\)'), expected(failed, '')]),
		);

		const stop = node('Stop', 'n8n-nodes-base.stopAndError', { errorMessage: 'The <disk> is full' });
		const failing = await e2e.workflows.createWebhook([stop], {}, { errorWorkflow });
		await failing.call();
		expect((await messages(5))[4]).toMatch(
			/^n8n workflow "Under test" failed: The &lt;disk&gt; is full\nhttp.*\/executions\/\d+$/,
		);
	},
};
