import type { IDataObject } from 'n8n-workflow';

/** What a campaign is to be like. */
export interface CampaignOptions {
	/** Settles what is done, and which replies to it go wrong. */
	seed: number;
	/** How many creations and starts of runs. */
	operations: number;
	/** Further options of every Prospector node: for a campaign that must fail. */
	nodeOptions?: IDataObject;
	/** Told how many of the planned executions have ended. */
	onProgress?: (ended: number, planned: number) => void;
}
