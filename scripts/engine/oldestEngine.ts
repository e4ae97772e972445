// Tests read this where the oldest supported n8n behaves differently.
process.env.compat = 'n8n1'; // eslint-disable-line @n8n/community-nodes/no-restricted-globals -- not published
