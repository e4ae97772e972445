// A file that was renamed must not live on in the package.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
