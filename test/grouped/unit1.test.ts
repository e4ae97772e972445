import { requireGroup } from './requireGroup';

requireGroup('unit', 1);
