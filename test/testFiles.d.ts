/** Whether a test file is none of the slowest ones, nor one that must be the last. */
export const isShort: (path: string) => boolean;
export const testFilesOf: (project: string) => string[];
