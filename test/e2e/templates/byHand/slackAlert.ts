import { NEXT_POLL_TIMEOUT_MS } from '../../trigger/polling';
import { eventually } from '../../n8n/rest';
import { MESSAGES, TWO_FAILURES } from './otherSystems';
import type { Template } from './template';

const NAME = `Broken "down" 🔥 <!channel> & 'more' \\n`;

export const slackAlert: Template = {
	prepare({ e2e }) {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		e2e.control.seed({ runs: [{ workflowId, status: 'failed', results: 0 }] });
	},
	steps: [
		['When a run has failed', 'test'],
		['Send the alert', 'pick', 'channelId', 'alerts'],
		['Send the alert', 'test'],
	],
	/** Posts one message for each failed run even if Slack fails twice. */
	async check({ e2e, recorder }) {
		const [workflowId] = e2e.control.seed({ workflows: [{ name: NAME }] }).workflows;
		recorder.nextReplies.push(undefined, ...TWO_FAILURES);
		const runs = ['completed', 'timed_out', 'failed'].map((status) => ({ workflowId, status, results: 0 }));
		e2e.control.seed({ runs });
		await eventually('messages', () => recorder.bodiesOf(MESSAGES).length >= 4, NEXT_POLL_TIMEOUT_MS);
		const texts = recorder.bodiesOf(MESSAGES).map(({ text }) => text);
		expect(new Set(texts).size).toBe(2);
	},
};
