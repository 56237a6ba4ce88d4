// The results of a scenario as JSON texts. The details of a result, such as its reason, are the element with the same index
// in the list `results` of the scenario's extra data.
import { splitElements, splitMembers, unescapeString, withMember } from '../../json/member-texts.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { ScenarioColumns } from './derived-columns.ts'
import { bodyWithChanges, contentDigest } from './row.ts'

/** The element of a result without details, if a later result has details. */
const NO_DETAILS = '{}'

export interface ResultText {
  /** The name of the evaluator, in storable form. */
  evaluator: string
  text: string
  details: string | null
}

/**
 * Splits the texts of `results` and `extra`. Undefined if `extra.results` is something else than a list of details: extra
 * data is free-form.
 */
export function splitResults(results: string, extra: string | null): ResultText[] | undefined {
  const texts = splitElements(results)
  const detailList = (extra === null ? undefined : splitMembers(extra).get('results')) ?? 'null'
  if (detailList !== 'null' && !detailList.startsWith('[')) return undefined
  const details = detailList === 'null' ? [] : splitElements(detailList)
  if (details.length > texts.length) return undefined
  return texts.map((text, index) => ({
    evaluator: toStorableText(unescapeString(splitMembers(text).get('evaluator_config') ?? '""')),
    text,
    details: details[index] === NO_DETAILS ? null : (details[index] ?? null),
  }))
}

/** The texts of `results` and `extra`. `extra` is the previous text, of which only `results` changes. */
export function joinResults(
  results: ResultText[],
  extra: string | null,
): { results: string; extra: string | null } {
  const detailCount = results.findLastIndex(({ details }) => details !== null) + 1
  const details = results.slice(0, detailCount).map((result) => result.details ?? NO_DETAILS)
  const list = detailCount === 0 ? undefined : `[${details.join(',')}]`
  return {
    results: `[${results.map(({ text }) => text).join(',')}]`,
    extra: withDetails(extra, list),
  }
}

function withDetails(extra: string | null, list: string | undefined): string | null {
  const hasDetails = extra !== null && splitMembers(extra).has('results')
  if (list === undefined && !hasDetails) return extra
  const changedExtra = withMember(extra ?? '{}', 'results', list)
  return changedExtra === '{}' ? null : changedExtra
}

/** The body with other results, and its digest. `members` are the texts of the stored body. */
export function withResults(members: ReadonlyMap<string, string>, results: string, extra: string | null) {
  const body = bodyWithChanges(members, { results })
  const isUnmarked = members.get('is_pinned') === 'null' && members.get('note') === 'null'
  const unmarkedBody = isUnmarked
    ? body
    : bodyWithChanges(members, { results, is_pinned: 'null', note: 'null' })
  return { body, digest: contentDigest(unmarkedBody, extra) }
}

/** The column of an evaluator, for ColumnWriter. */
export function scoreColumn(evaluator: string): ScenarioColumns {
  return { input: [], expected: [], score: [evaluator] }
}
