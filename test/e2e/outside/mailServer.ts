import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../n8n/rest';

const USER = 'mailer';
const PASSWORD = 'Passw0rd-mail';

export interface MailServer {
	/** Of n8n's credential `smtp`. */
	credential: ICredentialDataDecryptedObject;
	/** The mails received so far. */
	mails: ParsedMail[];
	/** Number of mails that were refused so far. */
	refusals: () => number;
	/** Refuses the next mails with a temporary status, as servers do that are busy or don't know the sender yet. */
	refuse(mails: number): void;
	/** Returns the next mail to this address that was not returned before. */
	nextMail(recipient: string): Promise<ParsedMail>;
	close(): Promise<void>;
}

/** Starts an SMTP server with a login and without encryption. Call `close()` in the end. */
export async function startMailServer(): Promise<MailServer> {
	const mails: ParsedMail[] = [];
	const returned = new Set<ParsedMail>();
	let toRefuse = 0;
	let refused = 0;

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
			refused++;
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

	return {
		credential: {
			host: '127.0.0.1',
			port: (server.server.address() as AddressInfo).port,
			secure: false,
			disableStartTls: true,
			user: USER,
			password: PASSWORD,
		},
		mails,
		refusals: () => refused,
		refuse: (count) => void (toRefuse = count),
		nextMail: async (recipient) =>
			await eventually(`a mail to ${recipient}`, () => {
				const mail = mails.find((each) => !returned.has(each) && recipientsOf(each).includes(recipient));
				if (mail) returned.add(mail);
				return mail;
			}),
		close: async () => await new Promise<void>((closed) => server.close(() => closed())),
	};
}

const recipientsOf = ({ to }: ParsedMail) =>
	[to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address));
