// Imports as write operations of the model: files of scenarios and files of revisions.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RULES, type Rule, type UploadCounts } from './corrections.ts'
import {
  EVALUATION_IDS,
  print,
  type Raw,
  type RevisionRecord,
  raw,
  rawValue,
  recordText,
  revisionRecord,
  type ScenarioRecord,
  scenarioRecord,
  VARIANT_IDS,
} from './documents.ts'
import type { Evaluation, Revision } from './model.ts'
import { conflict, invalidContent, type Prediction, type WriteOperation } from './operation.ts'
import { addRevision, ensureEvaluation, ensureVariant, storeUpload, uploadScenarios } from './writes.ts'

interface ImportedFile<FileRecord> {
  records: FileRecord[]
  evaluation: string
  variant: string | undefined
  isNdjson: boolean
  skipsInvalid: boolean
  isDryRun: boolean
  rule: Rule
}

const importedFile = <FileRecord>(
  record: fc.Arbitrary<FileRecord>,
  variant: fc.Arbitrary<string | undefined>,
): fc.Arbitrary<ImportedFile<FileRecord>> =>
  fc.record({
    records: fc.array(record, { minLength: 1, maxLength: 3 }),
    evaluation: fc.constantFrom('e-0', ...EVALUATION_IDS),
    variant,
    isNdjson: fc.boolean(),
    skipsInvalid: fc.boolean(),
    isDryRun: fc.nat(5).map((number) => number === 0),
    rule: fc.constantFrom(...RULES),
  })

function importRequest(file: ImportedFile<unknown>, format: string, lines: string[]) {
  const { evaluation, variant, isNdjson, skipsInvalid, isDryRun, rule } = file
  const query = new URLSearchParams({
    format,
    ...(format === 'scenarios' && { evaluation }),
    ...(variant !== undefined && { variant }),
    ...(skipsInvalid && { skip_invalid: 'true' }),
    ...(isDryRun && { dry_run: 'true' }),
    ...(rule !== 'error' && { on_conflict: rule }),
  })
  const body = isNdjson ? `${lines.join('\n')}\n` : `[${lines.join()}]`
  return { query: String(query), body }
}

type Counts = UploadCounts & { id: string; missing?: number; missing_ids?: (string | undefined)[] }

interface Report {
  stored: boolean
  evaluations: (Counts & { name?: string; updated?: string[] })[]
  variants: Counts[]
  refused: number
}

function reportResponse(expected: Report): Prediction {
  return {
    status: 200,
    body(text) {
      const { stored, evaluations, variants, refused } = JSON.parse(text) as Report
      const counts = evaluations.map(({ name: _, updated: __, ...counts }) => counts)
      assert.deepEqual({ stored, evaluations: counts, variants, refused }, expected)
      return text
    },
  }
}

/** Returns the response to a file that is not stored; undefined if it is stored. */
function notStored(
  { skipsInvalid, isDryRun }: ImportedFile<unknown>,
  invalidCount: number,
  conflictCount: number,
  report: Omit<Report, 'stored'>,
): Prediction | undefined {
  const isRejected = report.refused > 0 && !skipsInvalid
  if (isRejected && !isDryRun) return report.refused === conflictCount ? conflict : invalidContent
  if (!isDryRun) return undefined
  // Invalid records reject the file before its records are compared with stored ones.
  const isEmptyReport = invalidCount > 0 && !skipsInvalid
  return reportResponse(
    isEmptyReport
      ? { stored: false, evaluations: [], variants: [], refused: invalidCount }
      : { stored: false, ...report },
  )
}

/** The stored scenarios without a record in the file, if some have one and all records are valid. */
function findMissing(
  evaluation: Evaluation | undefined,
  { records, rule }: ImportedFile<ScenarioRecord>,
): { missing?: number; missing_ids?: (string | undefined)[] } {
  if (!evaluation || rule === 'replace_all' || records.some(({ isInvalid }) => isInvalid)) return {}
  const ids = new Set(records.map(({ members }) => members.id?.value))
  const missing = evaluation.scenarios.filter(({ id }) => !ids.has(id))
  if (missing.length === 0 || missing.length === evaluation.scenarios.length) return {}
  return { missing: missing.length, missing_ids: missing.slice(0, 5).map(({ id }) => id) }
}

export const importScenarios: WriteOperation<ImportedFile<ScenarioRecord>> = {
  method: 'POST',
  weight: 3,
  ids: fc.constant([]),
  content: importedFile(
    scenarioRecord,
    fc.option(fc.constantFrom(...VARIANT_IDS), { nil: undefined, freq: 2 }),
  ),
  path: () => '/api/imports',
  request: (file) =>
    importRequest(
      file,
      'scenarios',
      file.records.map((record) => recordText(record, file.evaluation)),
    ),
  store({ project }, file) {
    const { records, evaluation: id, variant } = file
    const validRecords = records.filter(({ isInvalid }) => !isInvalid)
    const existing = project.find('evaluation', id)
    const result = uploadScenarios(existing, validRecords, file.rule)
    const { counts, conflictCount, invalidCount: misalignedCount } = result
    const invalidCount = records.length - validRecords.length
    const report = {
      evaluations: [{ id, ...counts, ...findMissing(existing, file) }],
      variants: variant === undefined ? [] : [{ id: variant, accepted: 0, unchanged: 0 }],
      refused: invalidCount + conflictCount + misalignedCount,
    }
    const response = notStored(file, invalidCount, conflictCount, report)
    if (response) return response
    if (variant !== undefined) ensureVariant(project, variant)
    const evaluation = ensureEvaluation(
      project,
      id,
      variant === undefined ? {} : { variant_id: rawValue(variant) },
    )
    storeUpload(project, evaluation, result)
    return reportResponse({ stored: true, ...report })
  },
}

export const importRevisions: WriteOperation<ImportedFile<RevisionRecord>> = {
  method: 'POST',
  weight: 2,
  ids: fc.constant([]),
  content: importedFile(revisionRecord, fc.constantFrom(...VARIANT_IDS)),
  path: () => '/api/imports',
  request: (file) => importRequest(file, 'revisions', file.records.map(revisionLine)),
  store({ project }, file) {
    const { records, variant: id = '' } = file
    let revisions: Revision[] = project.find('variant', id)?.revisions ?? []
    const counts = { id, accepted: 0, unchanged: 0 }
    let conflictCount = 0
    let highest = project.highestNumber(id)
    const validRecords = records.filter(({ isInvalid }) => !isInvalid)
    for (const { members } of validRecords) {
      // Without a number, a configuration that exists is not added again.
      const { revision, config } = members
      const isKnown = revision === undefined && revisions.some((stored) => hasConfig(stored, config))
      const added = isKnown ? undefined : addRevision(revisions, members, highest)
      if (added?.isNew) {
        revisions = [...revisions, added.revision]
        highest = Math.max(highest, added.revision.number)
        counts.accepted += 1
      } else if (isKnown || added) counts.unchanged += 1
      else conflictCount += 1
    }
    const invalidCount = records.length - validRecords.length
    const report = { evaluations: [], variants: [counts], refused: invalidCount + conflictCount }
    const response = notStored(file, invalidCount, conflictCount, report)
    if (response) return response
    const variant = ensureVariant(project, id)
    variant.revisions = revisions
    project.useNumber(id, highest)
    if (counts.accepted > 0) variant.changeCount += 1
    return reportResponse({ stored: true, ...report })
  },
}

function revisionLine({ members, isInvalid }: RevisionRecord): string {
  return print(isInvalid ? { ...members, unknown: raw('1') } : members, 'loose')
}

function hasConfig({ config }: Revision, sent: Raw | undefined): boolean {
  return config.compact === sent?.compact
}
