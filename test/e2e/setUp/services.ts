/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
import { command, findProgram, log, ROOT } from './commands';

/** A program that some tests need and that is not an npm package. */
interface Service {
	program?: string;
	/** Why the program is missing, and how to get it. */
	missing?: string;
}

/** Finds Redis and Chromium. As root on Debian or on a CI machine, installs them if they are missing. */
export const findServices = () => ({
	redis: findService('redis-server', 'redis-server'),
	chromium: findService('chromium', 'chromium', 'chromium-browser', 'google-chrome'),
});
export type Services = ReturnType<typeof findServices>;

function findService(debianPackage: string, ...programs: string[]): Service {
	const installed = findProgram(...programs);
	if (installed) return { program: installed };
	const isRoot = process.getuid?.() === 0;
	const install = `apt-get install -y --no-install-recommends ${debianPackage}`;
	const advice = `Get it with: ${isRoot ? '' : 'sudo '}${install}`;
	if (!findProgram('apt-get') || !(isRoot || process.env.CI)) {
		return { missing: `no ${debianPackage} on this machine. ${advice}` };
	}
	log(`Installing ${debianPackage} …`);
	const sudo = isRoot ? '' : 'sudo -n ';
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	try {
		command('sh', ['-c', `${sudo}apt-get update && ${sudo}${install}`], { cwd: ROOT, env, advice });
	} catch (error) {
		return { missing: `${debianPackage} could not be installed: ${(error as Error).message}` };
	}
	const program = findProgram(...programs);
	return program ? { program } : { missing: `${debianPackage} is installed, but it has no ${programs[0]}` };
}
