import './environment';

export { CredentialStore } from './credentials';
export * from './execution';
export { NodeTypes } from './nodeTypes';
export { Poller } from './poller';
export * from './state';
export type { WorkflowFile } from './workflowFile';
