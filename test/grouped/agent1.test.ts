import { requireGroup } from './requireGroup';

requireGroup('agent', 1);
