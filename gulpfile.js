const { src, dest, parallel } = require('gulp');

// gulp 5 would otherwise read every file as UTF-8 text.
const asIs = { encoding: false, base: '.' };

const icons = () => src('icons/*.svg', asIs).pipe(dest('dist'));
const json = () => src('nodes/**/*.json', asIs).pipe(dest('dist'));

/** What tsc leaves behind: icons, codex files and output previews. */
exports.assets = parallel(icons, json);
