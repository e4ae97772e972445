// Installs the n8n that `npm run test:e2e` starts, unless it is in the cache.
import { installN8n } from '../test/e2e/setUp/installation';
import { RELEASES } from '../test/e2e/setUp/platforms';

installN8n(RELEASES[0]);
