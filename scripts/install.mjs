// `node scripts/install.mjs FOLDER…` installs the packages of these folders, unless they are installed.
import { install } from './setUp.mjs';

process.argv.slice(2).forEach((folder) => install(folder));
