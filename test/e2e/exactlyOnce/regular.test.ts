import { PATIENT, startE2e, type E2e } from '../bench';
import { lostReplies } from './lostReplies';
import { retriedExecutions } from './retriedExecutions';
import { stoppedExecutions } from './stoppedExecutions';

describe('Exactly one run: lost replies, retried and stopped executions', () => {
	let e2e: E2e;
	beforeAll(async () => {
		e2e = await startE2e();
	}, PATIENT);
	afterAll(async () => await e2e?.close());

	lostReplies(() => e2e);
	retriedExecutions(() => e2e);
	stoppedExecutions(() => e2e, 'regular');
});
