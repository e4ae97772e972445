/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENTS, type TriggerEvent } from '../../test/simulator/settings';
import { log, UsageError } from '../../test/e2e/setUp/commands';
import { forEachConcurrently } from '../../test/forEachConcurrently';
import { buildWithoutRule, removeRule } from './buildWithoutRule';
import { forkPart } from './playPart';
import { type Rule, RULES } from './rules';

/** About twenty times what a history takes: a missing rule can make the trigger read endlessly. */
const MAX_HISTORY_MS = 2000;

interface Options {
	seed: number;
	/** Number of histories after which a missing rule counts as not noticed. */
	histories: number;
	event?: TriggerEvent;
	/** A part of the names of the rules to remove; all rules if undefined. */
	rule?: string;
}

/** Removes each rule from a copy of the package and plays histories. @returns the number of rules not noticed */
export async function playWithoutRules({ rule: part = '', ...options }: Options): Promise<number> {
	const rules = RULES.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
	if (rules.length === 0) throw new UsageError(`There is no rule with "${part}" in its name.`);
	for (const rule of rules) removeRule(rule);
	const directory = mkdtempSync(join(tmpdir(), 'without-rules-'));
	let noticed = 0;
	try {
		await forEachConcurrently([...rules.entries()], availableParallelism(), async ([index, rule]) => {
			const dist = buildWithoutRule(rule, join(directory, String(index)));
			const { isNoticed, text } = await playWithoutRule(dist, {
				...options,
				event: options.event ?? rule.event,
				settings: rule.settings,
			});
			log(`${rule.name}: ${text}`);
			if (isNoticed) noticed++;
		});
	} finally {
		rmSync(directory, { recursive: true });
	}
	log(`${noticed} passed, ${rules.length - noticed} failed`);
	return rules.length - noticed;
}

async function playWithoutRule(
	dist: string,
	{ seed, histories, event, settings }: Omit<Options, 'rule'> & Pick<Rule, 'settings'>,
): Promise<{ isNoticed: boolean; text: string }> {
	const begin = performance.now();
	const events = event ? [event] : [...EVENTS];
	const part = { seed, histories, events, first: 0, processes: 1, endOnFailure: true, settings };
	const partWithStored = { ...part, playsStored: true };
	const env = { ...process.env, PROSPECTOR_DIST: dist };
	const report = await forkPart(partWithStored, { env, timeout: histories * MAX_HISTORY_MS }).result;
	const seconds = Math.round((performance.now() - begin) / 1000);
	if (!report) return { isNoticed: false, text: `not noticed: the process has not finished (${seconds} s)` };
	const { found, histories: played } = report;
	if (!found) return { isNoticed: false, text: `not noticed in ${played} histories (${seconds} s)` };
	const text = `in history ${played} (${seconds} s), ${found.history.event}, ${found.summary}`;
	// The tests play the stored histories with the complete trigger.
	if (found.seed === undefined) return { isNoticed: true, text: `noticed ${text}` };
	// If the complete package violates a rule too, the history proves nothing about the missing one.
	const samePart = { ...part, seed: found.seed, events: [found.history.event], histories: 1 };
	const isFound = (await forkPart(samePart).result)?.found !== undefined;
	return isFound
		? { isNoticed: false, text: `not noticed: the complete trigger fails too, ${text}` }
		: { isNoticed: true, text: `noticed ${text}` };
}
