import { DAY_MS, HOUR_MS, triggerScenario } from '../helpers/triggerScenario';

test.each([
	[28, true],
	[32, false],
])(
	'the trigger forgets a deleted Prospector workflow after 30 days, and emits again what was created since the activation only if it is restored later (days: %d, still stored: %j)',
	async (days, isKept) => {
		const { time, addWorkflow, addRun, watch, poll, control } = triggerScenario();
		const deleted = addWorkflow();
		addRun(deleted);
		// It is on the third page.
		for (let count = 0; count < 12; count++) {
			time.advance(1000);
			addWorkflow();
		}
		const trigger = watch('newRun', {}, 'durableCursors');
		await poll(trigger, 3);
		const known = addRun(deleted);
		await poll(trigger, 1);
		control.deleteWorkflow(deleted);
		time.advance(DAY_MS);
		await poll(trigger, 3);
		time.advance((days - 1) * DAY_MS);
		await poll(trigger, 1);
		const unreadMs = time.nowMs + 1;
		time.advance(DAY_MS);
		await poll(trigger, 4);
		expect(trigger.saved.includes(deleted)).toBe(isKept);
		control.restoreWorkflow(deleted);
		const createdAt = new Date(unreadMs).toISOString();
		const { runs } = control.seed({ runs: [{ workflowId: deleted, createdAt }] });
		time.advance(DAY_MS);
		await poll(trigger, 4);
		runs.push(addRun(deleted));
		await poll(trigger, 4);
		expect(trigger.ids).toEqual([known, ...(isKept ? [] : [known]), ...runs]);
	},
);

test.each(['all', 'several'])(
	'the trigger emits existing runs if Include Existing is on, but none that started while their Prospector workflow was not watched if Watch then changes to %s',
	async (watched) => {
		const { addWorkflow, addRun, watch, poll, time } = triggerScenario();
		const [workflowId, other] = [addWorkflow(), addWorkflow()];
		const emitted = [addRun(workflowId)];
		time.advance(HOUR_MS);
		const trigger = watch('newRun', { options: { includeExisting: true } });
		await poll(trigger, 4);
		Object.assign(trigger.parameters, { watch: 'one', workflowId });
		await poll(trigger);
		addRun(other);
		emitted.push(addRun(workflowId));
		Object.assign(trigger.parameters, { watch: watched, workflowIds: [workflowId, other] });
		await poll(trigger, 2);
		emitted.push(addRun(other));
		await poll(trigger, 2);
		expect(trigger.ids).toEqual(emitted);
	},
);

test.each([
	[20, 'new'],
	[1500, 'new'],
	[20, 'existing'],
])(
	'the trigger emits a run that is older than the last list of Prospector workflows if this list has omitted its Prospector workflow for %d min (Prospector workflow: %s)',
	async (minutes, age) => {
		const { addWorkflow, addRun, watch, poll, control, time } = triggerScenario();
		const trigger = watch('newRun');
		const existing = [addWorkflow(), addWorkflow()][1];
		addRun(existing);
		time.advance(HOUR_MS);
		if (age === 'existing') control.patchSettings({ hiddenWorkflows: [existing] });
		await trigger.activate();
		const late = age === 'existing' ? existing : addWorkflow();
		control.patchSettings({ hiddenWorkflows: [late] });
		const run = addRun(late);
		await poll(trigger, minutes - 2);
		control.patchSettings({ hiddenWorkflows: [] });
		await poll(trigger, 2);
		expect(trigger.ids).toEqual([run]);
	},
);

test('the trigger says in its log once that a clock was ahead at its activation', async () => {
	const { control, addWorkflow, watch, poll } = triggerScenario({ dateHeaderOffsetMs: HOUR_MS });
	addWorkflow();
	const trigger = await watch('newRun').activate();
	control.patchSettings({ dateHeaderOffsetMs: 0 });
	await poll(trigger, 3);
	expect(trigger.log).toEqual([expect.stringContaining('a clock was ahead at the activation')]);
});

test.each([0, 4])(
	'the trigger emits new runs within four polls if the Date header was 3 h ahead and n8n then pauses for %d h',
	async (hours) => {
		const { control, addWorkflow, addRun, watch, poll, time } = triggerScenario();
		const old = addWorkflow();
		const trigger = await watch('newRun').activate();
		control.patchSettings({ dateHeaderOffsetMs: 3 * HOUR_MS });
		await poll(trigger, 4);
		control.patchSettings({ dateHeaderOffsetMs: 0 });
		const runs = [old, addWorkflow()].map((id) => addRun(id));
		time.advance(hours * HOUR_MS);
		await poll(trigger, 4);
		expect(trigger.ids.sort()).toEqual(runs.sort());
	},
);

// Each row: what the trigger does, and when the others were created.
test.each([
	['starts over with one log line if they are older than the last list', 'utc', [900, 0.1], 1],
	['starts over with one log line even if its first read of the whole list fails', 'utc', [900, 0.1], 1],
	['starts over with one log line if they have no times', 'missing', [900, 0], 1],
	['emits their runs if they are new', 'utc', [0], 0],
	['emits their runs even if they were listed 8 min late', 'utc', [0.14], 0],
	['continues if there are none', 'utc', [], 0],
] as const)(
	'a trigger whose known Prospector workflows are all replaced by others %s (times: %s, hours ago: %j)',
	async (action, timeFormat, createdHoursAgo, lines) => {
		const { time, addWorkflow, addRun, watch, poll, control } = triggerScenario({ timeFormat });
		// Enough to prove the order of their list.
		const known = Array.from({ length: 13 }, () => {
			time.advance(1000);
			return addWorkflow();
		});
		for (const id of known) addRun(id);
		const trigger = watch('newRun');
		await poll(trigger, 10);
		for (const id of known) control.deleteWorkflow(id);
		const others = createdHoursAgo.map((hours) => {
			const createdAt = new Date(time.nowMs - hours * HOUR_MS).toISOString();
			return control.seed({ workflows: [{ createdAt, runs: [{ createdAt }] }] });
		});
		if (action.endsWith('fails'))
			control.addFault({ match: { operation: 'listWorkflows' }, skip: 1, kind: 'notEnvelope' });
		await poll(trigger, 5);
		const line: unknown = expect.stringMatching(/as in another workspace, so the trigger starts over$/);
		const log = trigger.log.filter((text) => !/A later poll tries again$/.test(text));
		expect(log).toEqual(Array<unknown>(lines).fill(line));
		expect(trigger.log.length - log.length).toBeLessThanOrEqual(4);
		const emitted = action.startsWith('emits') ? others.flatMap(({ runs }) => runs) : [];
		expect(trigger.ids).toEqual(emitted);
		time.advance(1000);
		const later = [...others.flatMap(({ workflows }) => workflows), addWorkflow()].map((id) => addRun(id));
		await poll(trigger, 5);
		expect(trigger.ids.sort()).toEqual([...emitted, ...later].sort());
	},
);

test('the trigger finds the first run of each new Prospector workflow with its next poll even if it still checks deleted Prospector workflows', async () => {
	const { time, addWorkflow, addRun, watch, poll, control } = triggerScenario();
	const deleted = Array.from({ length: 15 }, addWorkflow);
	const trigger = await watch('newRun').activate();
	const runs: string[] = [];
	for (const id of deleted) {
		control.deleteWorkflow(id);
		runs.push(addRun(addWorkflow()));
		time.advance(HOUR_MS / 6);
		await poll(trigger);
	}
	expect(trigger.ids).toEqual(runs);
	expect(trigger.emitted.map((item) => item.poll)).toEqual(runs.map((_, index) => index + 1));
});

test('the trigger finds the first run of each new Prospector workflow with its next poll even if a long list of runs waits for its requests', async () => {
	const { addWorkflow, addRun, addRuns, watch, poll, time } = triggerScenario({ listOrder: 'shuffled' });
	addRuns(addWorkflow(), 200);
	time.advance(1000);
	const trigger = await watch('newRun', { options: { maxRequests: 10 } }).activate();
	const runs: string[] = [];
	for (let count = 0; count < 4; count++) {
		await poll(trigger);
		runs.push(addRun(addWorkflow()));
		await poll(trigger);
	}
	expect(trigger.ids).toEqual(runs);
	expect(trigger.emitted.map((item) => item.poll)).toEqual([2, 4, 6, 8]);
});
