// Writes of results as operations of the model: adding results to scenarios, and deleting the results of an evaluator, in one
// scenario or in all of them.
import fc from 'fast-check'
import { resultsPath, scenariosPath } from '../write-requests.ts'
import {
  type Fault,
  fault,
  print,
  type Raw,
  type ResultTree,
  raw,
  rawValue,
  result,
  resultName,
  SCENARIO_IDS,
} from './documents.ts'
import type { Evaluation, Scenario } from './model.ts'
import { invalidContent, missing, rejected, type WriteOperation } from './operation.ts'

interface ResultRecord {
  /** Undefined: the scenario of the operation's ids. */
  scenario: string | undefined
  evaluator_config: Raw
  result: ResultTree
  reason?: Raw
  by?: Raw
}

interface ResultUpload {
  records: ResultRecord[]
  isNdjson: boolean
  fault: Fault
}

const resultUpload = fc.record({
  records: fc.array(
    fc.record(
      {
        scenario: fc.constantFrom(undefined, undefined, undefined, ...SCENARIO_IDS),
        evaluator_config: resultName,
        result,
        reason: fc.constantFrom(rawValue('because'), raw('null')),
        by: fc.constantFrom(rawValue('Ana'), rawValue('Bo')),
      },
      { requiredKeys: ['scenario', 'evaluator_config', 'result'] },
    ),
    { maxLength: 3 },
  ),
  isNdjson: fc.boolean(),
  fault,
}) as fc.Arbitrary<ResultUpload>

export function addResults(
  evaluationId: fc.Arbitrary<string>,
  scenarioId: fc.Arbitrary<string>,
): WriteOperation<ResultUpload> {
  return {
    method: 'POST',
    weight: 6,
    ids: fc.tuple(evaluationId, scenarioId),
    content: resultUpload,
    path: ([id = '']) => resultsPath(id),
    request({ records, isNdjson, fault }, [, ownScenario = '']) {
      const texts = records.map(({ scenario = ownScenario, ...members }) =>
        print(
          {
            ...members,
            scenario_id: rawValue(scenario),
            ...(fault === 'member' && { unknown: raw('1') }),
          },
          'loose',
        ),
      )
      const lines = fault === 'member' ? [...texts, '{"unknown":1}'] : texts
      const body = isNdjson ? lines.map((line) => `${line}\n`).join('') : `[${lines.join()}]`
      return { body: fault === 'syntax' ? `${body.slice(0, -1)}{` : body, isNdjson }
    },
    check: ({ world, project, ids: [id = ''] }) =>
      project.find('evaluation', id) ? undefined : missing({ world, project }, 'evaluation', id),
    checkBody({ fault }) {
      if (fault === 'none') return undefined
      return fault === 'syntax' ? rejected(400, 'invalid-json') : invalidContent
    },
    store({ project, ids: [id = '', ownScenario = ''] }, { records }) {
      const evaluation = project.find('evaluation', id) as Evaluation
      const scenarioOf = ({ scenario = ownScenario }: ResultRecord) =>
        evaluation.scenarios.find((candidate) => candidate.id === scenario)
      const hasErrors = records.some((record) => {
        const scenario = scenarioOf(record)
        return !scenario || readDetails(scenario) === undefined
      })
      if (hasErrors) return invalidContent
      const counts = { added: 0, replaced: 0, unchanged: 0 }
      for (const record of records) {
        counts[addResult(scenarioOf(record) as Scenario, record)] += 1
        evaluation.updateColumns()
      }
      if (counts.added + counts.replaced > 0) evaluation.changeCount += 1
      return { status: 200, body: () => JSON.stringify(counts) }
    },
  }
}

export function deleteResults(evaluationId: fc.Arbitrary<string>): WriteOperation<Raw> {
  return {
    method: 'DELETE',
    weight: 3,
    ids: evaluationId.map((id) => [id]),
    content: resultName,
    path: ([id = '']) => resultsPath(id),
    request: (name) => ({ query: String(new URLSearchParams({ evaluator: name.value as string })) }),
    store({ world, project, ids: [id = ''] }, { value: name }) {
      const evaluation = project.find('evaluation', id)
      if (!evaluation) return missing({ world, project }, 'evaluation', id)
      const scenarios = evaluation.scenarios.filter((scenario) => hasResult(scenario, name))
      if (scenarios.length === 0) return rejected(404, 'evaluator-not-found')
      for (const scenario of scenarios) deleteResult(scenario, name)
      evaluation.updateColumns()
      evaluation.changeCount += 1
      return { status: 204, body: () => '' }
    },
  }
}

/** Stands for the last result of the scenario. */
export const LAST_RESULT = '*'

export function deleteScenarioResult(
  evaluationId: fc.Arbitrary<string>,
  scenarioId: fc.Arbitrary<string>,
): WriteOperation<undefined> {
  return {
    method: 'DELETE',
    weight: 8,
    ids: fc.tuple(
      evaluationId,
      scenarioId,
      fc.oneof(
        resultName.map(({ value }) => value as string),
        { weight: 4, arbitrary: fc.constant(LAST_RESULT) },
      ),
    ),
    content: fc.constant(undefined),
    path: ([id = '', scenario = '', name = '']) =>
      `${scenariosPath(id)}/${[scenario, 'results', name].map(encodeURIComponent).join('/')}`,
    request: () => ({}),
    store({ world, project, ids: [id = '', scenarioId, name] }) {
      const evaluation = project.find('evaluation', id)
      if (!evaluation) return missing({ world, project }, 'evaluation', id)
      const scenario = evaluation.scenarios.find((candidate) => candidate.id === scenarioId)
      if (!scenario) return rejected(404, 'scenario-not-found')
      if (!hasResult(scenario, name)) return rejected(404, 'result-not-found')
      deleteResult(scenario, name)
      evaluation.updateColumns()
      evaluation.changeCount += 1
      return { status: 204, body: () => '' }
    },
  }
}

function hasResult({ members: { results = [] } }: Scenario, name: unknown): boolean {
  return results.some(({ evaluator_config }) => evaluator_config.value === name)
}

type Details = string | undefined

function addResult(
  scenario: Scenario,
  { evaluator_config, result, reason, by }: ResultRecord,
): 'added' | 'replaced' | 'unchanged' {
  const { results = [] } = scenario.members
  const details = readDetails(scenario) ?? []
  const members = Object.entries({ reason, by }).filter(([, member]) => member && member.compact !== 'null')
  const newDetails: Details =
    members.length === 0
      ? undefined
      : `{${members.map(([name, member]) => `"${name}":${member?.compact}`).join()}}`
  const isSame = (index: number) => results[index]?.evaluator_config.value === evaluator_config.value
  const indexes = results.map((_, index) => index).filter(isSame)
  const [first = results.length] = indexes
  const isUnchanged =
    indexes.length === 1 &&
    details[first] === newDetails &&
    print(results[first]?.result ?? raw('')) === print(result)
  if (isUnchanged) return 'unchanged'
  const isKept = (_: unknown, index: number) => index === first || !indexes.includes(index)
  const newResults = [...results]
  newResults[first] = { evaluator_config, result }
  const allDetails: Details[] = newResults.map((_, index) => (index === first ? newDetails : details[index]))
  setResults(scenario, newResults.filter(isKept), allDetails.filter(isKept))
  return indexes.length === 0 ? 'added' : 'replaced'
}

function deleteResult(scenario: Scenario, name: unknown): void {
  const { results = [] } = scenario.members
  const details = readDetails(scenario)
  const isKept = (_: unknown, index: number) => results[index]?.evaluator_config.value !== name
  const remaining = results.filter(isKept)
  // Extra data in another form does not change.
  if (!details) scenario.members = { ...scenario.members, results: remaining }
  else setResults(scenario, remaining, results.map((_, index) => details[index]).filter(isKept))
}

/** The details of each result; undefined if the extra data has something else in their place. */
function readDetails({ members: { extra, results = [] } }: Scenario): Details[] | undefined {
  const list = (extra?.value as { results?: unknown } | null | undefined)?.results ?? []
  if (!Array.isArray(list) || list.length > results.length) return undefined
  return list.map((element) => JSON.stringify(element)).map((text) => (text === '{}' ? undefined : text))
}

function setResults(
  scenario: Scenario,
  results: { evaluator_config: Raw; result: ResultTree }[],
  details: Details[],
): void {
  const { extra: oldExtra, ...members } = scenario.members
  const text = oldExtra && oldExtra.compact !== 'null' ? oldExtra.compact : undefined
  const last = details.findLastIndex((element) => element !== undefined)
  const list = details.slice(0, last + 1).map((element) => element ?? '{}')
  const hadDetails = text !== undefined && Object.hasOwn(JSON.parse(text), 'results')
  // In the documents of the model, this member is the last one.
  const others = hadDetails
    ? text.slice(1, text.lastIndexOf('"results":')).replace(/,$/, '')
    : (text ?? '{}').slice(1, -1)
  const newMembers = [...(others === '' ? [] : [others]), ...(last < 0 ? [] : [`"results":[${list.join()}]`])]
  const isUnchanged = last < 0 && !hadDetails
  const newExtra = isUnchanged ? text : newMembers.length === 0 ? undefined : `{${newMembers.join()}}`
  scenario.members = { ...members, results, ...(newExtra !== undefined && { extra: raw(newExtra) }) }
}
