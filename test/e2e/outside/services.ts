import { GoogleSheets } from './googleSheets';
import { HubSpot } from './hubspot';
import { startProxy } from './proxy';
import { Slack } from './slack';

/** Starts the services that templates write to. Call `close()` in the end. */
export async function startOutsideServices() {
	const services = { google: new GoogleSheets(), hubspot: new HubSpot(), slack: new Slack() };
	return { ...services, ...(await startProxy(Object.values(services))) };
}

export type OutsideServices = Awaited<ReturnType<typeof startOutsideServices>>;
