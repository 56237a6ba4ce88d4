// Which key a share was made with: it ends with that key.

export const sqlite = 'ALTER TABLE api_key ADD COLUMN made_by TEXT;'

export const postgres = 'ALTER TABLE api_key ADD COLUMN made_by text COLLATE "C";'
