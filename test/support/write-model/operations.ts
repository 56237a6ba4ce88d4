// The table of write operations: how each request is generated, and the response and effect that the model predicts.
import fc from 'fast-check'
import { EVALUATIONS, revisionsPath, scenariosPath, VARIANTS } from '../write-requests.ts'
import { isNull, RULES, type Rule, replaceScenario } from './corrections.ts'
import {
  type Document,
  documentText,
  EVALUATION_IDS,
  evaluationDocument,
  evaluationPatch,
  type Fault,
  fault,
  type Members,
  recordText,
  revisionDocument,
  SCENARIO_IDS,
  type ScenarioMembers,
  type ScenarioRecord,
  scenarioPatch,
  scenarioRecord,
  VARIANT_IDS,
  variantDocument,
  variantPatch,
} from './documents.ts'
import { importRevisions, importScenarios } from './imports.ts'
import {
  Evaluation,
  type Noun,
  revisionText,
  type Scenario,
  storedText,
  Variant,
  writtenMembers,
} from './model.ts'
import {
  conflict,
  invalidContent,
  missing,
  type Prediction,
  rejected,
  type Target,
  type WriteOperation,
} from './operation.ts'
import { addResults, deleteResults, deleteScenarioResult } from './results.ts'
import {
  addRevision,
  ensureEvaluation,
  ensureVariant,
  hasReferences,
  storeUpload,
  toTime,
  uploadScenarios,
} from './writes.ts'

const defineOperation = <Content>(operation: WriteOperation<Content>) => operation as WriteOperation<unknown>

function checkExists(target: Target, noun: Noun): Prediction | undefined {
  const [id = ''] = target.ids
  return target.project.find(noun, id) ? undefined : missing(target, noun, id)
}

function checkFault(fault: Fault): Prediction | undefined {
  if (fault === 'none') return undefined
  return fault === 'syntax' ? rejected(400, 'invalid-json') : invalidContent
}

const checkDocument = ({ fault }: Document) => checkFault(fault)
const documentRequest = (document: Document) => ({ body: documentText(document) })
const idOf = ({ id }: Members) => (id?.value as string | null) ?? undefined
const anyOf = (ids: string[]) => fc.constantFrom(...ids)
/** The first id is used most, so that operations meet. */
const evaluationId = anyOf(['e-0', 'e-0', 'e-0', ...EVALUATION_IDS])
const variantId = anyOf(['v-0', 'v-0', ...VARIANT_IDS])
/** Stands for the last scenario of the evaluation, which can have a generated id. */
export const LAST_SCENARIO = '*'
const noIds = fc.constant([] as string[])
const oneId = (id: fc.Arbitrary<string>) => id.map((only) => [only])

/** The expected text, after reading what the service assigned. */
function learnedText(resource: Evaluation | Variant, text: string): string {
  resource.learn(JSON.parse(text))
  return resource.text()
}

function createResponse(resource: Evaluation | Variant, collection: string): Prediction {
  return {
    status: 201,
    body: (text) => learnedText(resource, text),
    location: () => `${collection}/${encodeURIComponent(String(resource.id))}`,
  }
}

function deleteResource({ project, ids: [id = ''], ...target }: Target, noun: Noun): Prediction {
  const resource = project.find(noun, id)
  if (!resource) return missing({ project, ...target }, noun, id)
  project.delete(resource)
  return { status: 204, body: () => '' }
}

/** The body of an upload. A fault is in its last record. */
function uploadText(records: string[], isNdjson: boolean, fault: Fault): string {
  const lines = fault === 'member' ? [...records, '{"unknown":1}'] : records
  if (isNdjson) return lines.map((line) => `${line}\n`).join('') + (fault === 'syntax' ? '{"id":' : '')
  return `[${lines.join(', ')}${fault === 'syntax' ? '' : ']'}`
}

interface Upload {
  records: ScenarioRecord[]
  isNdjson: boolean
  fault: Fault
  rule: Rule
}

const upload: fc.Arbitrary<Upload> = fc.record({
  records: fc.array(scenarioRecord, { maxLength: 4 }),
  isNdjson: fc.boolean(),
  fault,
  rule: fc.constantFrom(...RULES),
})

const scenarioId = anyOf([...SCENARIO_IDS, LAST_SCENARIO, LAST_SCENARIO])
const scenarioIds = fc.tuple(evaluationId, scenarioId)
const scenarioPath = ([id = '', scenario = '']: string[]) =>
  `${scenariosPath(id)}/${encodeURIComponent(scenario)}`

function findScenario({ project, ids: [id = '', scenarioId] }: Target) {
  const evaluation = project.find('evaluation', id)
  const scenario = evaluation?.scenarios.find((candidate) => candidate.id === scenarioId)
  return evaluation && scenario && { evaluation, scenario }
}

/** By query parameter: whether a scenario matches. */
const SCENARIO_FILTERS = {
  'is_pinned=is.true': ({ is_pinned }: ScenarioMembers) => is_pinned?.compact === 'true',
  'is_pinned=is.false': ({ is_pinned }: ScenarioMembers) => is_pinned?.compact !== 'true',
  'note=is.present': ({ note }: ScenarioMembers) => !isNull(note),
  'note=is.null': ({ note }: ScenarioMembers) => isNull(note),
}

export const WRITE_OPERATIONS = {
  createEvaluation: defineOperation({
    method: 'POST',
    weight: 3,
    ids: noIds,
    content: evaluationDocument,
    path: () => EVALUATIONS,
    request: documentRequest,
    checkBody: checkDocument,
    store({ project }, { members }) {
      const id = idOf(members)
      const existing = id === undefined ? undefined : project.find('evaluation', id)
      const writtenText = writtenMembers(members)
      if (existing)
        return existing.writtenText === writtenText ? createResponse(existing, EVALUATIONS) : conflict
      if (!hasReferences(project, members)) return invalidContent
      const evaluation = new Evaluation(id, writtenText)
      evaluation.set(members)
      evaluation.created_at = toTime(members.created_at)
      project.evaluations.push(evaluation)
      return createResponse(evaluation, EVALUATIONS)
    },
  }),

  updateEvaluation: defineOperation({
    method: 'PATCH',
    weight: 6,
    ids: oneId(evaluationId),
    content: evaluationPatch,
    path: ([id = '']) => `${EVALUATIONS}/${encodeURIComponent(id)}`,
    request: documentRequest,
    check: (target) => checkExists(target, 'evaluation'),
    checkBody: checkDocument,
    store({ project, ids: [id = ''] }, { members }) {
      const evaluation = project.find('evaluation', id) as Evaluation
      const namesRevision = members.variant_id !== undefined || members.revision !== undefined
      if (namesRevision && !hasReferences(project, members, evaluation)) return invalidContent
      if (evaluation.set(members)) evaluation.changeCount += 1
      return { status: 200, body: (text) => learnedText(evaluation, text) }
    },
  }),

  deleteEvaluation: defineOperation({
    method: 'DELETE',
    weight: 3,
    ids: oneId(evaluationId),
    content: fc.constant(undefined),
    path: ([id = '']) => `${EVALUATIONS}/${encodeURIComponent(id)}`,
    request: () => ({}),
    store: (target) => deleteResource(target, 'evaluation'),
  }),

  appendScenarios: defineOperation({
    method: 'POST',
    weight: 8,
    ids: oneId(evaluationId),
    content: upload,
    path: ([id = '']) => scenariosPath(id),
    request({ records, isNdjson, fault, rule }: Upload, [id = '']) {
      return {
        ...(rule !== 'error' && { query: `on_conflict=${rule}` }),
        body: uploadText(
          records.map((record) => recordText(record, id)),
          isNdjson,
          fault,
        ),
        isNdjson,
      }
    },
    checkBody({ records, fault }: Upload) {
      if (fault === 'syntax') return checkFault(fault)
      const isInvalid = records.some((record) => record.isInvalid || record.evaluation === 'other')
      return isInvalid || fault === 'member' ? invalidContent : undefined
    },
    store({ project, ids: [id = ''] }, { records, rule }: Upload) {
      const existing = project.find('evaluation', id)
      const result = uploadScenarios(existing, records, rule)
      if (result.invalidCount > 0) return invalidContent
      if (result.conflictCount > 0) return conflict
      storeUpload(project, existing ?? ensureEvaluation(project, id), result)
      return { status: 201, body: () => JSON.stringify(result.counts) }
    },
  }),

  replaceScenario: defineOperation({
    method: 'PUT',
    weight: 5,
    ids: scenarioIds,
    content: scenarioRecord,
    path: scenarioPath,
    request: (record: ScenarioRecord, [id = '']) => ({ body: recordText(record, id) }),
    check: (target) => checkExists(target, 'evaluation'),
    checkBody: ({ isInvalid, evaluation }: ScenarioRecord) =>
      isInvalid || evaluation === 'other' ? invalidContent : undefined,
    store(target, { members }: ScenarioRecord) {
      const id = members.id?.value ?? target.ids[1]
      if (id !== target.ids[1]) return invalidContent
      const found = findScenario(target)
      if (!found) return rejected(404, 'scenario-not-found')
      const { evaluation, scenario } = found
      const replaced = replaceScenario(evaluation, scenario, members)
      if (!replaced) return invalidContent
      if (replaced.isChanged) evaluation.changeCount += 1
      return { status: 200, body: () => evaluation.scenarioText(scenario) }
    },
  }),

  deleteScenarios: defineOperation({
    method: 'DELETE',
    weight: 6,
    ids: oneId(evaluationId),
    // Several filters match few scenarios.
    content: fc.subarray(Object.keys(SCENARIO_FILTERS) as (keyof typeof SCENARIO_FILTERS)[], {
      maxLength: 2,
    }),
    path: ([id = '']) => scenariosPath(id),
    request: (filters: (keyof typeof SCENARIO_FILTERS)[]) => ({ query: filters.join('&') }),
    store(target, filters: (keyof typeof SCENARIO_FILTERS)[]) {
      const { project, ids } = target
      const [id = ''] = ids
      if (filters.length === 0) return rejected(400, 'invalid-request')
      const evaluation = project.find('evaluation', id)
      if (!evaluation) return missing(target, 'evaluation', id)
      const isDeleted = ({ members }: Scenario) =>
        filters.every((filter) => SCENARIO_FILTERS[filter](members))
      const remaining = evaluation.scenarios.filter((scenario) => !isDeleted(scenario))
      const deleted = evaluation.scenarios.length - remaining.length
      evaluation.scenarios = remaining
      if (deleted > 0) evaluation.changeCount += 1
      // Without scenarios, it comes after others with the same creation time.
      if (deleted > 0 && remaining.length === 0) project.moveToEnd(evaluation)
      evaluation.updateColumns()
      return { status: 200, body: () => JSON.stringify({ deleted }) }
    },
  }),

  deleteScenario: defineOperation({
    method: 'DELETE',
    weight: 2,
    ids: scenarioIds,
    content: fc.constant(undefined),
    path: scenarioPath,
    request: () => ({}),
    store(target) {
      const exists = checkExists(target, 'evaluation')
      const found = findScenario(target)
      if (!found) return exists ?? rejected(404, 'scenario-not-found')
      const { evaluation, scenario } = found
      evaluation.scenarios = evaluation.scenarios.filter((other) => other !== scenario)
      evaluation.updateColumns()
      evaluation.changeCount += 1
      return { status: 204, body: () => '' }
    },
  }),

  markScenario: defineOperation({
    method: 'PATCH',
    weight: 4,
    ids: scenarioIds,
    content: scenarioPatch,
    path: scenarioPath,
    request: documentRequest,
    check: (target) => checkExists(target, 'evaluation'),
    checkBody: checkDocument,
    store(target, { members }: Document) {
      const found = findScenario(target)
      if (!found) return rejected(404, 'scenario-not-found')
      const { evaluation, scenario } = found
      const oldText = evaluation.scenarioText(scenario)
      scenario.members = { ...scenario.members, ...members }
      if (evaluation.scenarioText(scenario) !== oldText) evaluation.changeCount += 1
      return { status: 200, body: () => evaluation.scenarioText(scenario) }
    },
  }),

  createVariant: defineOperation({
    method: 'POST',
    weight: 2,
    ids: noIds,
    content: variantDocument,
    path: () => VARIANTS,
    request: documentRequest,
    checkBody: checkDocument,
    store({ project }, { members }: Document) {
      const id = idOf(members)
      const existing = id === undefined ? undefined : project.find('variant', id)
      const writtenText = writtenMembers(members)
      if (existing)
        return existing.writtenText === writtenText ? createResponse(existing, VARIANTS) : conflict
      const variant = new Variant(id, writtenText)
      variant.name = storedText((members.name?.value as string | null | undefined) ?? null)
      project.variants.push(variant)
      return createResponse(variant, VARIANTS)
    },
  }),

  updateVariant: defineOperation({
    method: 'PATCH',
    weight: 2,
    ids: oneId(variantId),
    content: variantPatch,
    path: ([id = '']) => `${VARIANTS}/${encodeURIComponent(id)}`,
    request: documentRequest,
    check: (target) => checkExists(target, 'variant'),
    checkBody: checkDocument,
    store({ project, ids: [id = ''] }, { members }: Document) {
      const variant = project.find('variant', id) as Variant
      const name = members.name ? storedText(members.name.value as string | null) : variant.name
      if (name !== variant.name) variant.changeCount += 1
      variant.name = name
      return { status: 200, body: (text) => learnedText(variant, text) }
    },
  }),

  addRevision: defineOperation({
    method: 'POST',
    weight: 5,
    ids: oneId(variantId),
    content: revisionDocument,
    path: ([id = '']) => revisionsPath(id),
    request: documentRequest,
    checkBody: checkDocument,
    store({ project, ids: [id = ''] }, { members }: Document) {
      const existing = project.find('variant', id)
      const added = addRevision(existing?.revisions ?? [], members, project.highestNumber(id))
      if (!added) return conflict
      const variant = existing ?? ensureVariant(project, id)
      if (added.isNew) {
        project.useNumber(id, added.revision.number)
        variant.revisions = [...variant.revisions, added.revision]
        variant.changeCount += 1
      }
      return {
        status: 201,
        location: () => `${revisionsPath(id)}/${added.revision.number}`,
        body(text) {
          variant.learnRevisions([JSON.parse(text)])
          return revisionText(added.revision)
        },
      }
    },
  }),

  deleteRevision: defineOperation({
    method: 'DELETE',
    weight: 3,
    ids: fc.tuple(variantId, anyOf(['1', '1', '2', '3', '0', '5'])),
    content: fc.constant(undefined),
    path: ([id = '', number = '']) => `${revisionsPath(id)}/${number}`,
    request: () => ({}),
    store(target) {
      const { project, ids } = target
      const [id = '', number] = ids
      const variant = project.find('variant', id)
      if (!variant) return missing(target, 'variant', id)
      const remaining = variant.revisions.filter((revision) => String(revision.number) !== number)
      if (remaining.length === variant.revisions.length) return rejected(404, 'revision-not-found')
      variant.revisions = remaining
      variant.changeCount += 1
      project.forgetResponses(`${revisionsPath(id)}/${number}`)
      return { status: 204, body: () => '' }
    },
  }),

  deleteVariant: defineOperation({
    method: 'DELETE',
    weight: 2,
    ids: oneId(variantId),
    content: fc.constant(undefined),
    path: ([id = '']) => `${VARIANTS}/${encodeURIComponent(id)}`,
    request: () => ({}),
    store: (target) => deleteResource(target, 'variant'),
  }),

  addResults: defineOperation(addResults(evaluationId, scenarioId)),
  deleteResults: defineOperation(deleteResults(evaluationId)),
  deleteScenarioResult: defineOperation(
    deleteScenarioResult(evaluationId, anyOf([LAST_SCENARIO, LAST_SCENARIO, 's-0'])),
  ),
  importScenarios: defineOperation(importScenarios),
  importRevisions: defineOperation(importRevisions),
}
