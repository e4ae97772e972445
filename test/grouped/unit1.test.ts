import './requireGroup';
