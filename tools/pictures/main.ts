/* eslint-disable @n8n/community-nodes/no-restricted-globals -- not published */
// `npm run tool -- screenshots`: runs the test of the pictures, which writes them instead of comparing what they show.
process.env.E2E_PICTURES = 'write';
process.argv.push('pictures/');
void import('../../test/e2e/main');
