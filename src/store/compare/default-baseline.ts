// The baseline that an evaluation is compared with if a request asks for one without naming it.

import { allowedEvaluations } from '../../schema/key-restriction.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import type { Viewer } from '../access/projects.ts'
import type { Connection } from '../dialect/dialect.ts'

/** Older, finished evaluations of the variant of `own`, the newest first. */
const olderEvaluation = (condition = '') => `SELECT older.key FROM evaluation AS older
  WHERE older.project = own.project AND older.variant_id = own.variant_id AND older.status = 'finished'
    AND older.scenario_count > 0 AND (older.created_at, older.key) < (own.created_at, own.key) ${condition}
  ORDER BY older.created_at DESC, older.key DESC LIMIT 1`

const IS_MARKED = `AND EXISTS (SELECT 1 FROM evaluation AS other
  WHERE other.project = older.project AND other.baseline_id = older.id AND other.key <> older.key)`

/**
 * Evaluations with their baseline: the declared one, else the newest one that another evaluation declares, else the previous one.
 * `keys` is an in-list of their keys.
 */
export const SELECT_BASELINES = (keys: string) => `SELECT own.key AS key, baseline.key AS base_key,
    CASE WHEN declared IS NOT NULL THEN 'declared' WHEN marked IS NOT NULL THEN 'marked' ELSE 'previous' END AS chosen,
    own.version AS version, own.scenario_count AS count, baseline.id AS base_id, baseline.version AS base_version,
    baseline.scenario_count AS base_count
  FROM (SELECT own.*,
      (SELECT declared.key FROM evaluation AS declared
        WHERE declared.project = own.project AND declared.id = own.baseline_id) AS declared,
      CASE WHEN own.baseline_id IS NULL THEN (${olderEvaluation(IS_MARKED)}) END AS marked,
      CASE WHEN own.baseline_id IS NULL THEN (${olderEvaluation()}) END AS previous
    FROM evaluation AS own WHERE own.key IN (${keys})) AS own
  JOIN evaluation AS baseline ON baseline.key = coalesce(declared, marked, previous)
  WHERE baseline.key <> own.key`

export interface ChosenBaseline {
  key: number
  version: string
  count: number
  base_key: number
  base_id: string
  base_version: string
  base_count: number
  chosen: BaselineReason
}

/** Undefined if there is none that the key can read. */
export async function findDefaultBaseline(
  connection: Connection,
  { confined_to }: Viewer,
  evaluation: number,
): Promise<Pick<ChosenBaseline, 'base_id' | 'chosen'> | undefined> {
  const baseline = await connection.get<ChosenBaseline>(SELECT_BASELINES('?'), evaluation)
  if (!baseline) return undefined
  const isReadable = confined_to === null || allowedEvaluations(confined_to).includes(baseline.base_id)
  return isReadable ? baseline : undefined
}
