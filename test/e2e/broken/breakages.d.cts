export const BREAKAGES: Array<{ what: string; file: string }>;
