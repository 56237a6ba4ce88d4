// Writes revisions as CSV.
import { pathTable } from './format.ts'

export const REVISION_TABLE = pathTable({
  revision: 'revision',
  modified_by: 'modified_by',
  config_name: 'config.config_name',
  parameters: 'config.parameters',
  created_at: 'created_at',
})
