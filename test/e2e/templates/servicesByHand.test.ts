import { agentStartsARun } from './byHand/agentStartsARun';
import { formToEmail } from './byHand/formToEmail';
import { dailyRunToGoogleSheets } from './byHand/googleSheets';
import { leadsToHubspot, newLeadsWeekly } from './byHand/leads';
import { slackAlert } from './byHand/slackAlert';
import { testTemplatesByHand } from './byHand/testTemplatesByHand';

testTemplatesByHand({
	'new-leads-weekly.json': newLeadsWeekly,
	'agent-starts-a-run.json': agentStartsARun,
	'daily-run-to-google-sheets.json': dailyRunToGoogleSheets,
	'leads-to-hubspot.json': leadsToHubspot,
	'form-to-email.json': formToEmail,
	'slack-alert-when-a-run-fails.json': slackAlert,
});
