// Replaces ProspectorTrigger.node.js in `npm run test:e2e -- --broken`. Later polls get a copy of the first state.
const { ProspectorTrigger } = require('./ProspectorTrigger.original.js');

exports.ProspectorTrigger = class {
	constructor() {
		const trigger = new ProspectorTrigger();
		const { poll } = trigger;
		trigger.poll = async function () {
			const getWorkflowStaticData = (type) => {
				const state = this.getWorkflowStaticData(type);
				return Object.keys(state).length > 0 ? structuredClone(state) : state;
			};
			return await poll.call(Object.assign(Object.create(this), { getWorkflowStaticData }));
		};
		return trigger;
	}
};
