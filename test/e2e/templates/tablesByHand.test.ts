import * as leads from './byHand/leads';
import { testTemplatesByHand } from './byHand/testTemplatesByHand';

testTemplatesByHand({
	'leads-to-data-table.json': leads.leadsToDataTable,
	'leads-to-postgres.json': leads.leadsToPostgres,
	'only-new-leads.json': leads.onlyNewLeads,
	'nightly-export.json': leads.nightlyExport,
	'advanced/resumable-export.json': leads.resumableExport,
	'advanced/run-that-takes-hours.json': leads.runThatTakesHours,
});
