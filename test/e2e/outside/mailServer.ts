import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../n8n/rest';

const USER = 'mailer';
const PASSWORD = 'Passw0rd-mail';

export interface MailServer {
	/** Data of a credential of the type `smtp`. */
	credential: ICredentialDataDecryptedObject;
	/** Refuses the next mails with a temporary status, as a busy server does. */
	refuse(mails: number): void;
	/** Returns the mails to an address so far. */
	mailsTo(recipient: string): ParsedMail[];
	/** Waits for the first mail to an address. */
	firstMailTo(recipient: string): Promise<ParsedMail>;
	close(): Promise<void>;
}

/** Starts an SMTP server with a login and without encryption. Call `close()` in the end. */
export async function startMailServer(): Promise<MailServer> {
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
		credential: {
			host: '127.0.0.1',
			port: (server.server.address() as AddressInfo).port,
			secure: false,
			disableStartTls: true,
			user: USER,
			password: PASSWORD,
		},
		refuse: (count) => void (toRefuse = count),
		mailsTo,
		firstMailTo: async (recipient) =>
			await eventually(`a mail to ${recipient}`, () => mailsTo(recipient).at(0)),
		close: async () => await new Promise<void>((closed) => server.close(() => closed())),
	};
}
