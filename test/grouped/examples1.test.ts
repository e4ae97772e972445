import { requireGroup } from './requireGroup';

requireGroup('examples', 1);
