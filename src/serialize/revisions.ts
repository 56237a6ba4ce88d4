// Writes revisions as CSV.
import { splitMembers } from '../json/member-texts.ts'
import { jsonToCell } from './csv.ts'
import type { CsvTable } from './format.ts'

export const REVISION_TABLE: CsvTable = {
  header: ['revision', 'modified_by', 'config_name', 'parameters', 'created_at'],
  cells(element) {
    const revision = splitMembers(element)
    const config = splitMembers(revision.get('config') ?? '{}')
    return [
      jsonToCell(revision.get('revision')),
      jsonToCell(revision.get('modified_by')),
      jsonToCell(config.get('config_name')),
      jsonToCell(config.get('parameters')),
      jsonToCell(revision.get('created_at')),
    ]
  },
}
