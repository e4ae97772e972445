import type { AddressInfo } from 'node:net'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../../eventually';

// tools/ can't import the package itself.
export type { ParsedMail };

const USER = 'mailer';
const PASSWORD = 'Passw0rd-mail';

/** Starts an SMTP server with a login and without encryption. Call `close()` in the end. */
export async function startMailServer() {
	const mails: ParsedMail[] = [];
	let toRefuse = 0;
	const server = new SMTPServer({
		authMethods: ['PLAIN', 'LOGIN'],
		allowInsecureAuth: true,
		disabledCommands: ['STARTTLS'],
		onAuth({ username, password }, _session, done) {
			if (username === USER && password === PASSWORD) done(null, { user: USER });
			else done(new Error('Invalid login'));
		},
		onRcptTo(_address, _session, done) {
			if (toRefuse === 0) return done();
			toRefuse--;
			done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
		},
		onData(stream, _session, done) {
			simpleParser(stream).then((mail) => {
				mails.push(mail);
				done();
			}, done);
		},
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const mailsTo = (recipient: string) => mails.filter(({ to }) => [to].flat()[0]?.text === recipient);
	return {
		/** Data of a credential of the type `smtp`. */
		credential: {
			host: '127.0.0.1',
			port: (server.server.address() as AddressInfo).port,
			secure: false,
			disableStartTls: true,
			user: USER,
			password: PASSWORD,
		},
		/** Refuses the next mails with a temporary status, as a busy server does. */
		refuse: (count: number) => void (toRefuse = count),
		mailsTo,
		firstMailTo: async (recipient: string) =>
			await eventually(`a mail to ${recipient}`, () => mailsTo(recipient).at(0)),
		close: async () => await new Promise<void>((closed) => server.close(() => closed())),
	};
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;
