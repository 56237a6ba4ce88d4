// The actions of the change log, and the JSON schema of its entries.
import type { Static } from 'typebox'
import { countSchema, namedObject, nullable, optionalMembers, Type, timeSchema } from './schema-builders.ts'

/** The actions, by what their subject is. The API returns only those about evaluations and variants. */
export const ACTIONS = {
  evaluation: [
    'evaluation.created',
    'evaluation.updated',
    'evaluation.deleted',
    'scenarios.appended',
    'scenarios.replaced',
    'scenario.updated',
    'scenario.deleted',
    'results.added',
    'results.deleted',
    'review.created',
    'review.updated',
    'review.deleted',
    'answers.added',
    'answers.updated',
    'answers.deleted',
  ],
  variant: ['variant.created', 'variant.updated', 'variant.deleted', 'revision.created', 'revision.deleted'],
  key: ['key.created', 'key.rotated', 'key.expired', 'key.revoked', 'share.created', 'share.revoked'],
} as const

export type SubjectType = keyof typeof ACTIONS
export type Action = (typeof ACTIONS)[SubjectType][number]

export const DATA_ACTIONS: readonly Action[] = [...ACTIONS.evaluation, ...ACTIONS.variant]

const subjectTypes = new Map<string, SubjectType>()
for (const type of ['evaluation', 'variant', 'key'] as const)
  for (const action of ACTIONS[type]) subjectTypes.set(action, type)

/** What the subject of an action is. */
export function subjectTypeOf(action: Action): SubjectType {
  return subjectTypes.get(action) as SubjectType
}

const ChangeCounts = namedObject(
  'ChangeCounts',
  optionalMembers({
    scenarios: countSchema('Number of scenarios.'),
    results: countSchema('Number of results.'),
    answers: countSchema('Number of answers of reviewers.'),
    revisions: countSchema('Number of revisions.'),
    added: countSchema('Number of scenarios that an upload of all scenarios added.'),
    deleted: countSchema('Number of scenarios that an upload of all scenarios deleted.'),
  }),
  { description: 'How many scenarios, results, answers or revisions the change is about.' },
)

export type ChangeCounts = Static<typeof ChangeCounts>

export const Change = namedObject('Change', {
  sequence: Type.Integer({
    minimum: 1,
    description:
      'The number of the entry. Numbers increase. A number can be missing, because entries about keys are not returned.',
  }),
  time: timeSchema('When the change was stored. UTC, with milliseconds.'),
  action: Type.String({
    description: `What happened: ${DATA_ACTIONS.map((action) => `\`${action}\``).join(', ')}. Later versions can add actions.`,
  }),
  evaluation_id: nullable(Type.String({ description: 'The evaluation that was changed.' })),
  scenario_id: nullable(Type.String({ description: 'The scenario, if the change is about one only.' })),
  review_id: nullable(Type.String({ description: 'The review that was created, changed or deleted.' })),
  variant_id: nullable(Type.String({ description: 'The variant that was changed.' })),
  revision: nullable(Type.Integer({ description: 'The revision, if the change is about one only.' })),
  counts: ChangeCounts,
  version: nullable(
    Type.String({
      description:
        'The version of the evaluation or variant after the change, with which its ETags begin. Null if it was deleted.',
    }),
  ),
  cursor: Type.String({
    description: 'The position of this entry. Pass it as `after` to read the entries that follow.',
  }),
})
export type Change = Static<typeof Change>
