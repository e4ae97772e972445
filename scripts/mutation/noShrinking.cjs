// A random example that fails kills a mutant: a smaller one would only take time.
const { configureGlobal, readConfigureGlobal } = require('fast-check');

configureGlobal({ ...readConfigureGlobal(), endOnFailure: true });
