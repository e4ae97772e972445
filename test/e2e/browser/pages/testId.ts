/** Selects an element by the attribute that n8n's own tests use. */
export const byTestId = (id: string) => `[data-test-id="${id}"]`;
