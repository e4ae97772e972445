import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { triggerNode } from '../../unit/helpers/trigger/activeTrigger';
import { reportText, runTriggerCampaign } from './triggerCampaign';

type Poll = (this: IPollFunctions) => Promise<INodeExecutionData[][] | null>;

const { create } = triggerNode;
afterEach(() => void (triggerNode.create = create));

/** On a busy machine. */
const TIMEOUT_MS = 180_000;

const campaign = async (polls: number) => {
	const options = { seed: 1, polls, maxEvents: 60 };
	const report = await runTriggerCampaign(options);
	return { ...report, text: reportText(report, options) };
};

test(
	'finds nothing lost, repeated or wrong in a short campaign',
	async () => {
		const { figures, faults, text } = await campaign(400);
		expect(text).toMatch(/\n {2}lost +0\n {2}repeated +0\n {2}wrong +0\n[^]*\n\n\d+ passed, 0 failed$/);
		expect(figures.polls).toBeGreaterThanOrEqual(400);
		expect(figures.items).toBeGreaterThan(20);
		expect(Object.keys(faults)).toEqual(expect.arrayContaining(['status', 'drop', 'reset', 'cutBody']));
	},
	TIMEOUT_MS,
);

let forgotten = 0;

test.each<[what: string, finding: RegExp, broken: (this: IPollFunctions, poll: Poll) => ReturnType<Poll>]>([
	[
		'forgets what it has emitted',
		/repeated: /,
		async function (poll) {
			const state = this.getWorkflowStaticData('node');
			const before = structuredClone(state);
			const items = await poll.call(this);
			// Three times only, because a history with new items in every poll never ends.
			if (items && Object.keys(before).length > 0 && forgotten++ < 3) Object.assign(state, before);
			return items;
		},
	],
	[
		'loses items that it has marked as emitted',
		/lost: /,
		async function (poll) {
			const items = await poll.call(this);
			return items && [items[0].slice(0, 1)];
		},
	],
	[
		'ignores Max Requests',
		/[1-9]\d requests in a poll/,
		async function (poll) {
			const getNodeParameter = (name: string, ...rest: never[]): unknown => {
				const value: unknown = this.getNodeParameter(name, ...rest);
				return name === 'options' ? { ...(value as object), maxRequests: 1000 } : value;
			};
			return await poll.call({ ...this, getNodeParameter } as IPollFunctions);
		},
	],
	[
		'stores too much',
		/a state of 1\d{6} bytes/,
		async function (poll) {
			const items = await poll.call(this);
			this.getWorkflowStaticData('node').extra = ' '.repeat(1_000_000);
			return items;
		},
	],
	[
		'throws a TypeError',
		/a poll threw TypeError/,
		async function (poll) {
			if (Object.keys(this.getWorkflowStaticData('node')).length > 0) throw new TypeError('x is undefined');
			return await poll.call(this);
		},
	],
])('reports a trigger that %s', async (_, finding, broken) => {
	triggerNode.create = (dependencies) => {
		const poll = create(dependencies).poll as Poll;
		return {
			async poll() {
				return await broken.call(this, poll);
			},
		};
	};
	const { text } = await campaign(150);
	expect(text).toMatch(finding);
	expect(text).toMatch(
		/To repeat it: npm run campaign:trigger -- --seed 1 [^]*\n\n\d+ passed, [1-9]\d* failed$/,
	);
});
