const { src, dest, parallel } = require('gulp');

// gulp 5 would otherwise read every file as UTF-8 text.
const asIs = { encoding: false, base: '.' };

const icons = () => src('icons/*.svg', asIs).pipe(dest('dist'));
const previews = () => src('nodes/**/__schema__/**/*.json', asIs).pipe(dest('dist'));

/** The files that n8n reads as they are. tsc writes the code and the codex files. */
exports.assets = parallel(icons, previews);
