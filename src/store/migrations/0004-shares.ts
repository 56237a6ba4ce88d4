// Adds the key that created a share link. Revoking that key also revokes the share link.

export const sqlite = 'ALTER TABLE api_key ADD COLUMN made_by TEXT;'

export const postgres = 'ALTER TABLE api_key ADD COLUMN made_by text COLLATE "C";'
