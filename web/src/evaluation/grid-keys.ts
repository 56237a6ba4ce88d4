// The keys of the table that are about an evaluation: failures, pins, notes.
import { useQueryClient } from '@tanstack/react-query'
import { AssayError, type EvaluationSummary } from 'assay-client'
import type { KeyboardEvent } from 'react'
import { assay } from '../api.ts'
import { useTableKeys } from '../grid/keys.ts'
import { useSeek } from '../grid/seek.ts'
import type { Table } from '../grid/table.ts'
import { useMayWrite } from '../shell/key.ts'
import { toast } from '../shell/toasts.tsx'
import type { Row } from './cells.ts'
import { failureFilter, findFailure, isFailure } from './failures.ts'
import { handOver } from './handed-over.ts'
import type { RowQuestion } from './questions.ts'
import type { Reading } from './readings.ts'
import type { Shown } from './shown.ts'
import { useChangePreference } from './view.ts'

interface GridKeys {
  shown: Shown
  summary: EvaluationSummary | undefined
  readings: Record<string, Reading>
  question: RowQuestion
  table: Table<Row>
  open: (index: number) => void
}

export function useGridKeys(keys: GridKeys): (event: KeyboardEvent) => void {
  const { table, open } = keys
  const prefer = useChangePreference()
  const pin = usePin(keys)
  const seek = useSeek(table, failuresOf(keys))
  function writeNote(): void {
    const at = table.roving.place.row
    const row = table.windows.rowAt(at)
    if (!row) return
    handOver('note', row.id)
    open(at)
  }
  return useTableKeys(table, {
    open,
    seek,
    onDensity: (density) => prefer('density', density),
    ...(pin && { others: { p: pin, e: writeNote } }),
  })
}

/** Undefined for a key that may not write. */
function usePin({ shown, table }: GridKeys): (() => Promise<void>) | undefined {
  const queries = useQueryClient()
  const mayWrite = useMayWrite()
  if (!mayWrite) return undefined
  return async () => {
    const row = table.windows.rowAt(table.roving.place.row)
    if (!row) return
    try {
      await assay.markEvaluationScenario(shown.id, row.id, { is_pinned: !row.is_pinned })
      toast(row.is_pinned ? 'No longer pinned.' : 'Pinned.')
    } catch (error) {
      toast(error instanceof AssayError ? error.detail : 'It could not be pinned.')
    }
    await queries.invalidateQueries({ queryKey: ['evaluation', shown.id] })
  }
}

function failuresOf({ shown, summary, question, readings }: GridKeys) {
  if (!summary) return undefined
  const failure = failureFilter(summary, shown.on)
  const rule = readings[shown.on ?? '']
  return {
    noun: 'failure',
    isSought: (row: Row) => isFailure(row, failure, rule),
    find: async ({ id }: Row, isForward: boolean) =>
      (await findFailure(shown.id, question, failure, { from: id, isForward }))?.index,
  }
}
