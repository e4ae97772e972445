import { requireGroup } from './requireGroup';

requireGroup('workflow', 1);
