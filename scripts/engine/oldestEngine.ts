// Tests read this where the oldest supported n8n behaves differently.
process.env.compat = 'n8n1';
