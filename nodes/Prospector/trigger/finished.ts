import { DEFAULT_FINISHED_STATUSES } from '../actions/waiting/defaultStatuses';
import { isAmong } from '../actions/waiting/runStatus';

/**
 * Whether a run with this status has come to its end. The contract shows no status (section 3): a word that is not
 * among our guesses counts as unfinished, which costs requests and misses nothing.
 */
export const isFinished = (status = ''): boolean => isAmong(status, DEFAULT_FINISHED_STATUSES);
