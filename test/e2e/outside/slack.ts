import type { OutsideRequest, OutsideService, Reply } from './proxy';

/** Slack reports most failures with status 200. */
const failure = (error: string): Reply => ({ body: { ok: false, error } });

export const RATE_LIMITED: Reply = {
	status: 429,
	headers: { 'retry-after': '1' },
	...failure('ratelimited'),
};
export const INTERNAL_ERROR: Reply = { status: 500, ...failure('internal_error') };
export const ARCHIVED = failure('is_archived');

interface Message {
	channel: string;
	text: string;
}

/** Slack with one channel. */
export class Slack implements OutsideService {
	readonly hosts = ['slack.com'];
	readonly credential = { accessToken: 'xoxb-token', signatureSecret: '' };
	readonly channel = 'C0123456789';
	nextReplies: OutsideService['nextReplies'] = [];
	requests: OutsideRequest[] = [];
	messages: Message[] = [];

	answer({ method, path, body, token }: OutsideRequest): Reply {
		if (token !== this.credential.accessToken) return failure('invalid_auth');
		if (`${method} ${path}` !== 'POST /api/chat.postMessage') return failure('unknown_method');
		const { channel, text } = body as unknown as Message;
		if (channel !== this.channel) return failure('channel_not_found');
		if (!text) return failure('no_text');
		this.messages.push({ channel, text });
		const ts = `${1_700_000_000 + this.messages.length}.000100`;
		return { body: { ok: true, channel, ts, message: { type: 'message', text, ts } } };
	}
}
