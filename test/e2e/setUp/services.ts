import { command, findProgram } from './commands';
import { ROOT } from './folders';

/** A program of the machine that some tests need. */
interface Service {
	program?: string;
	/** Why it is missing, and how to get it. */
	missing?: string;
}

export interface Services {
	redis: Service;
	chromium: Service;
}

/**
 * Looks for the programs that are no npm packages, and installs what is missing where nobody has to be asked: on a
 * machine of CI's, or as root on Debian.
 */
export function findServices(say: (line: string) => void): Services {
	return {
		redis: find(['redis-server'], 'redis-server', say),
		chromium: find(['chromium', 'chromium-browser', 'google-chrome'], 'chromium', say),
	};
}

function find(names: string[], debianPackage: string, say: (line: string) => void): Service {
	const there = findProgram(...names);
	if (there) return { program: there };
	const install = ['apt-get', 'install', '-y', '--no-install-recommends', debianPackage];
	const asRoot = process.getuid?.() === 0 ? install : ['sudo', '-n', ...install];
	const how = `Get it with: ${asRoot.filter((word) => word !== '-n').join(' ')}`;
	const mayInstall = findProgram('apt-get') && (process.getuid?.() === 0 || process.env.CI);
	if (!mayInstall) return { missing: `no ${debianPackage} on this machine. ${how}` };
	say(`Installing ${debianPackage} …`);
	const options = { cwd: ROOT, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, advice: how };
	try {
		const update = asRoot.slice(0, asRoot.indexOf('install'));
		command(update[0], [...update.slice(1), 'update'], options);
		command(asRoot[0], asRoot.slice(1), options);
	} catch (error) {
		return { missing: `${debianPackage} could not be installed: ${(error as Error).message}` };
	}
	const program = findProgram(...names);
	return program ? { program } : { missing: `${debianPackage} is installed, but has no ${names.join(', ')}` };
}
