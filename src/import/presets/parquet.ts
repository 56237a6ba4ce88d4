// Imports tables in Parquet files. Columns of a known tool have the roles that its preset gives them.
import { isParquet, openParquet } from '../parquet/read-parquet.ts'
import type { Source } from '../source.ts'
import { presetImporter } from '../table/preset.ts'
import type { TableReader } from '../table/rows.ts'
import { isLangsmithTable, langsmithColumns } from './langsmith.ts'
import { isRagasTable, ragasColumns } from './ragas.ts'

async function openRows(source: Source): Promise<TableReader> {
  const file = await openParquet(source)
  return {
    names: file.columns,
    async *rows() {
      let index = 0
      // A binary file has no lines: the row number is used instead.
      for await (const row of file.rows()) {
        yield { kind: 'row', index, line: index + 1, values: row.members }
        index += 1
      }
    },
  }
}

export const parquet = presetImporter({
  name: 'parquet',
  label: 'Parquet',
  description: 'tables as Parquet files, with the same columns as CSV tables',
  example: 'assay import results.parquet --variant support-bot',
  detects: (_names, source) => isParquet(source),
  openTable: openRows,
  columns(names) {
    if (isRagasTable(names)) return ragasColumns(names)
    return isLangsmithTable(names) ? langsmithColumns(names) : new Map()
  },
})
