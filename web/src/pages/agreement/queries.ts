// Queries of the page that compares a judge with people.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { assay } from '../../api/client.ts'
import { rowParams } from '../../queries/evaluations.ts'
import type { Filter } from '../../state/row-params.ts'
import type { JudgeNames } from './names.ts'
import type { RowKind } from './search-params.ts'

export function agreementQuery(id: string, names: JudgeNames) {
  return queryOptions({
    queryKey: ['evaluation', id, 'agreement', names],
    queryFn: ({ signal }) => assay.getEvaluationAgreement(id, { ...names }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Rows that the page lists. The table of the evaluation has all. */
export const MAX_LISTED_ROWS = 100
/** Reasons are shown in one line. */
const PREVIEW_LENGTH = 300

/** Those of which the judge is most certain come first: its errors there say the most. */
export function judgedRowsQuery(id: string, names: JudgeNames, kind: RowKind, higherIsBetter: boolean) {
  const passesFirst = kind !== 'false-fail' && kind !== 'both-fail'
  const query = {
    filters: kindFilters(names, kind),
    order: `result.${names.evaluator}.${passesFirst === higherIsBetter ? 'desc' : 'asc'}`,
  }
  return queryOptions({
    queryKey: ['evaluation', id, 'rows', 'judged', query],
    queryFn: ({ signal }) =>
      assay.listEvaluationRows(
        id,
        { ...rowParams(query), include: 'reasons', limit: MAX_LISTED_ROWS, preview: PREVIEW_LENGTH },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}

/** The filters of the API that select these rows. */
export function kindFilters({ evaluator, with: truth }: JudgeNames, kind: RowKind): Filter[] {
  const [judge, people] = [`result.${evaluator}`, `result.${truth}`]
  switch (kind) {
    case 'disagree':
      return [['disagree', [evaluator, truth]]]
    case 'no-verdict':
      return [[people, 'is.null']]
    case 'false-pass':
    case 'false-fail':
    case 'both-pass':
    case 'both-fail':
      return [
        [judge, kind === 'false-pass' || kind === 'both-pass' ? 'is.true' : 'is.false'],
        [people, kind === 'false-fail' || kind === 'both-pass' ? 'is.true' : 'is.false'],
      ]
  }
}
