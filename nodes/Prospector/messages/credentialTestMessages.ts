/** What an API key can do, as far as its identity says. */
export interface ApiKeyAccess {
	canRead: boolean;
	canRun: boolean;
	isReadOnly: boolean;
}

/** The message of a successful test. @param access absent if the key may not read its own identity */
export function connectedMessage(access?: ApiKeyAccess): string {
	if (access === undefined || (access.canRead && access.canRun)) return 'Connected';
	if (!access.canRead) {
		return "Connected. This API key can start runs, but not read them and their results: it lacks the scope 'prospector.read'";
	}
	const reason = access.isReadOnly ? 'belongs to a read-only member' : "lacks the scope 'prospector.run'";
	return `Connected. This API key can't start runs or change Prospector workflows: it ${reason}`;
}
