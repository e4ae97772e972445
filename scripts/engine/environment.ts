/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- not published */
// Import this before n8n-core, which reads its settings when it is loaded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'prospector-engine-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'only-for-demo-and-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';
