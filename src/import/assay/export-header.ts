// The first line of a full export: the evaluation with its reviews, the variant that was evaluated, and the revision that ran.

import { splitMembers } from '../../json/member-texts.ts'
import type { JsonRecord } from '../../json/records.ts'
import { checkEvaluationRecord } from '../../schema/evaluations.ts'
import type { ParsedRecord } from '../../schema/import-events.ts'
import { checkReviewRecord, type Review } from '../../schema/reviews/reviews.ts'
import { checkRevision } from '../../schema/revisions.ts'
import { freeForm, nullable, strictObject, Type } from '../../schema/schema-builders.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import { createValidator, type ValidationError, type Validator } from '../../schema/validation/validator.ts'
import { checkVariantRecord, type VariantWrite } from '../../schema/variants.ts'
import type { ImportOptions } from '../importer.ts'
import { type ValidatedRecord, validateRecord } from '../validate-record.ts'

const validateHeader = createValidator(
  strictObject({
    evaluation: freeForm('The evaluation.'),
    variant: nullable(freeForm('The variant, or null if it was deleted.')),
    revision: nullable(freeForm('The revision, or null if it was deleted.')),
    reviews: Type.Optional(Type.Array(freeForm('A review.'))),
  }),
)

type ExportHeader =
  | { id: string; events: ParsedRecord[]; rejection?: undefined }
  | { rejection: ValidatedRecord<never> }

/** Returns the records of the header, or why it is rejected. */
export function readExportHeader(record: JsonRecord, options: ImportOptions): ExportHeader {
  const validated = validateRecord(record, validateHeader)
  if (!validated.content) return { rejection: validated }
  const { place } = validated
  const errors: ValidationError[] = []
  const readMember = <Value>(name: string, check: Validator<Value>, ...omittedMembers: string[]) =>
    readPart(validated.content, name, check, omittedMembers, errors)
  const evaluation = readMember('evaluation', checkEvaluationRecord, 'scenario_count')
  const variant = readMember('variant', checkVariantRecord)
  const revision = readMember('revision', checkRevision)
  const reviews = validated.content.value.reviews as Review[] | undefined
  for (const [index, review] of (reviews ?? []).entries())
    for (const { pointer, detail } of checkReviewRecord(parsedValue(review)))
      errors.push({ pointer: `/reviews/${index}${pointer}`, detail })
  const id = options.evaluation ?? evaluation?.value.id
  if (id == null) errors.push({ pointer: '/evaluation', detail: "The member 'id' is missing." })
  if (errors.length > 0 || !evaluation || id == null) return { rejection: { place, errors } }
  const events: ParsedRecord[] = []
  // A client that could not read the stored revisions does not know the number.
  const ranRevision = revision !== undefined && revision.value.revision === undefined
  const variantId = options.variant ?? variant?.value.id
  if (variantId !== undefined) {
    events.push({ kind: 'variant', id: variantId, content: variant ?? parsedValue({ name: variantId }) })
    if (revision) events.push({ kind: 'revision', place, content: revision })
    evaluation.value.variant_id = variantId
  }
  evaluation.value.id = id
  const { updated_at } = evaluation.value
  events.push({
    kind: 'evaluation',
    id,
    content: evaluation,
    place,
    ranRevision,
    ...(updated_at && { updated_at }),
    ...(reviews && { reviews }),
  })
  return { id, events }
}

const validateVariantHeader = createValidator(strictObject({ variant: freeForm('The variant.') }))

/** The variant in the first line of a copied variant. */
export function readVariantHeader(
  record: JsonRecord,
): ValidatedRecord<VariantWrite & { id: string; created_at?: string }> {
  const validated = validateRecord(record, validateVariantHeader)
  if (!validated.content) return validated
  const { place } = validated
  const errors: ValidationError[] = []
  const content = readPart(validated.content, 'variant', checkVariantRecord, [], errors)
  return content && errors.length === 0 ? { place, content } : { place, errors }
}

/** Reads and validates a member that is an object. Adds what is wrong to `errors`. */
function readPart<Value>(
  { memberTexts: texts }: ParsedValue<unknown>,
  name: string,
  check: Validator<Value>,
  omittedMembers: string[],
  errors: ValidationError[],
): ParsedValue<Value> | undefined {
  const text = texts.get(name) ?? 'null'
  if (text === 'null') return undefined
  const members = splitMembers(text)
  const value = JSON.parse(text)
  for (const member of omittedMembers) {
    members.delete(member)
    delete value[member]
  }
  const part = { value, memberTexts: members }
  errors.push(...check(part).map(({ pointer, detail }) => ({ pointer: `/${name}${pointer}`, detail })))
  return part as ParsedValue<Value>
}
