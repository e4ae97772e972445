import { join } from 'node:path';
import { makeUserFolder, removeUserFolder, type N8n } from './instance';
import { freePorts } from './ports';
import { Process } from './processes';
import { eventually } from './rest';

/** A worker of an n8n in queue mode; `close()` it in the end. */
export class Worker {
	private readonly process: Process;

	private constructor(
		main: N8n,
		private readonly folder: string,
		brokerPort: number,
	) {
		this.process = new Process(
			main.target.node,
			[main.target.bin, 'worker'],
			{
				...main.env,
				// As on a machine of its own: main and workers share database, queue and encryption key.
				HOME: folder,
				N8N_USER_FOLDER: folder,
				DB_SQLITE_DATABASE: join(main.folder, '.n8n/database.sqlite'),
				N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			},
			folder,
			join(folder, 'worker.log'),
		);
	}

	/**
	 * Starts a worker and waits until it takes jobs.
	 * @throws Error with the end of its log where it does not come up
	 */
	static async start(main: N8n): Promise<Worker> {
		const [brokerPort] = await freePorts(1);
		const worker = new Worker(main, makeUserFolder(main.target), brokerPort);
		try {
			await eventually(
				'a worker to start',
				() => {
					if (worker.process.isOver) throw new Error(`The worker has ended:\n${worker.log().slice(-3000)}`);
					return worker.log().includes('n8n worker is now ready');
				},
				120_000,
			);
			return worker;
		} catch (error) {
			await worker.close();
			throw error;
		}
	}

	/** What it has printed. */
	log(): string {
		return this.process.log();
	}

	/** Ends it without any warning. */
	async kill(): Promise<void> {
		await this.process.kill();
	}

	async close(): Promise<void> {
		await this.kill();
		removeUserFolder(this.folder);
	}
}
