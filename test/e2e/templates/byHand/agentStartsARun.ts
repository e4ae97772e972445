import { toolAnswers } from '../../../agent/scriptedModel';
import type { Template } from './template';

/** The agent starts one run, and continues after a tool call of the model has failed. */
export const agentStartsARun: Template = {
	steps: [],
	async check({ e2e, canvas, model }, { id }) {
		const [workflowId] = e2e.control.seed({ workflows: 1 }).workflows;
		const start = (workflow_id: string) => ({ tool: 'Start_a_run', arguments: { workflow_id } });
		model.follow(
			{ calls: [start('wf_nowhere'), { tool: 'List_Prospector_workflows' }] },
			{ calls: [start(workflowId)] },
			{ say: 'Started' },
		);
		await canvas.openWorkflow(id);
		await canvas.openChat();
		await canvas.chat('Yes', 'Started');
		await canvas.closeChat();
		const [refusal, list, started] = toolAnswers(model.requests[2]);
		expect(refusal).toContain("'wf_nowhere'");
		expect(list).toContain(workflowId);
		const [run, ...others] = e2e.runsOf(workflowId);
		expect(others).toEqual([]);
		const request = e2e.requests('runWorkflow').at(-1)!;
		expect(JSON.parse(started)).toMatchObject([{ id: run.id, request_id: request.requestId }]);
	},
};
