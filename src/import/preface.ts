// The first line of a full export: the evaluation, the variant that was evaluated and the revision that ran.
import type { JsonRecord } from '../json/records.ts'
import { memberTexts } from '../json/slices.ts'
import { type Checker, type ContentError, checker } from '../schema/check.ts'
import { checkEvaluation } from '../schema/evaluations.ts'
import type { Finding } from '../schema/findings.ts'
import { checkRevision } from '../schema/revisions.ts'
import { closed, freeForm, nullable } from '../schema/shapes.ts'
import { checkVariantRecord } from '../schema/variants.ts'
import { type Written, written } from '../schema/written.ts'
import type { ImportOptions } from './importer.ts'
import { type Judged, judgeRecord } from './records.ts'

const checkPreface = checker(
  closed({
    evaluation: freeForm('The evaluation.'),
    variant: nullable(freeForm('The variant; null where it is gone.')),
    revision: nullable(freeForm('The revision; null where it is gone.')),
  }),
)

export type Preface = { id: string; findings: Finding[]; refused?: undefined } | { refused: Judged<never> }

/** Everything in it, or what is wrong with it. */
export function readPreface(record: JsonRecord, options: ImportOptions): Preface {
  const judged = judgeRecord(record, checkPreface)
  if (!judged.written) return { refused: judged }
  const { place } = judged
  const errors: ContentError[] = []
  const part = <Value>(name: string, check: Checker<Value>, ...leftOut: string[]) =>
    readPart(judged.written, name, check, leftOut, errors)
  const evaluation = part('evaluation', checkEvaluation, 'scenario_count')
  const variant = part('variant', checkVariantRecord)
  const revision = part('revision', checkRevision)
  const id = options.evaluation ?? evaluation?.value.id
  if (id == null) errors.push({ pointer: '/evaluation', detail: "The member 'id' is missing." })
  if (errors.length > 0 || !evaluation || id == null) return { refused: { place, errors } }
  const findings: Finding[] = []
  const variantId = options.variant ?? variant?.value.id
  if (variantId !== undefined) {
    findings.push({ kind: 'variant', id: variantId, written: variant ?? written({ name: variantId }) })
    if (revision) findings.push({ kind: 'revision', place, written: revision })
    evaluation.value.variant_id = variantId
  }
  findings.push({ kind: 'evaluation', id, written: evaluation, place })
  return { id, findings }
}

/** A member that is an object, held against what it should be. What is wrong goes to `errors`. */
function readPart<Value>(
  { texts }: Written<unknown>,
  name: string,
  check: Checker<Value>,
  leftOut: string[],
  errors: ContentError[],
): Written<Value> | undefined {
  const text = texts.get(name) ?? 'null'
  if (text === 'null') return undefined
  const members = memberTexts(text)
  const value = JSON.parse(text)
  for (const member of leftOut) {
    members.delete(member)
    delete value[member]
  }
  const part = { value, texts: members }
  errors.push(...check(part).map(({ pointer, detail }) => ({ pointer: `/${name}${pointer}`, detail })))
  return part as Written<Value>
}
