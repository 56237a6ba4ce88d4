// A revision as a line of a table.
import { memberTexts } from '../json/slices.ts'
import { cellOf } from './csv.ts'
import type { Table } from './representation.ts'

export const REVISION_TABLE: Table = {
  header: ['revision', 'modified_by', 'config_name', 'parameters', 'created_at'],
  cells(element) {
    const revision = memberTexts(element)
    const config = memberTexts(revision.get('config') ?? '{}')
    return [
      cellOf(revision.get('revision')),
      cellOf(revision.get('modified_by')),
      cellOf(config.get('config_name')),
      cellOf(config.get('parameters')),
      cellOf(revision.get('created_at')),
    ]
  },
}
