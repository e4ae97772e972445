import { requireGroup } from './requireGroup';

requireGroup('sandbox', 1);
