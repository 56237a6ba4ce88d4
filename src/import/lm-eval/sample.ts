// Builds a scenario from the samples of one lm-evaluation-harness document: one line per filter.
import { Json } from '../../json/value.ts'
import { ScenarioBuilder } from '../scenario-builder.ts'

const PER_FILTER_MEMBERS = ['filter', 'metrics', 'filtered_resps']
const USED_MEMBERS = ['doc_id', 'doc', 'target', 'arguments', 'resps', ...PER_FILTER_MEMBERS]
const NON_METRIC_MEMBERS: ReadonlySet<string> = new Set([
  ...USED_MEMBERS,
  'doc_hash',
  'prompt_hash',
  'target_hash',
])

/** A request to the model: a prompt with its arguments, or a prompt and a continuation to score. */
type Request = readonly Json[]

/** The metric names of a line. Old versions do not list them. */
export function metricsOf(row: Json): string[] {
  const listedMetrics = row.get('metrics')
  if (listedMetrics?.isArray) return listedMetrics.elements.map(({ plain }) => plain)
  return [...row.members]
    .filter(([name, value]) => !NON_METRIC_MEMBERS.has(name) && value.string === undefined && !value.isObject)
    .map(([name]) => name)
}

export function filterOf(row: Json): string {
  return row.get('filter')?.plain ?? 'none'
}

/** The evaluator name of a metric. */
export function evaluatorOf(metric: string, filter: string, isOneOfSeveral: boolean): string {
  return isOneOfSeveral ? `${metric},${filter}` : metric
}

/** `rows` are the lines of one document, one per filter. */
export function buildScenario(
  rows: [Json, ...Json[]],
  id: string,
  hasSeveralFilters: boolean,
): ScenarioBuilder {
  const builder = new ScenarioBuilder(id)
  const [row, ...otherRows] = rows
  const requests = requestsOf(row)
  const prompt = requests[0]?.[0]
  addInputs(builder, row.get('doc'), prompt)
  addAnswers(builder, row, requests)
  const output = outputOf(row, requests)
  if (output) builder.addOutput({ value: output })
  const metrics = new Set<string>()
  for (const line of rows) {
    for (const metric of metricsOf(line)) {
      metrics.add(metric)
      builder.addResult(evaluatorOf(metric, filterOf(line), hasSeveralFilters), { value: line.get(metric) })
    }
  }
  builder.addExtra('arguments', remainingArguments(row, prompt))
  builder.addExtra('resps', unfilteredResps(row))
  if (hasSeveralFilters)
    builder.addExtra(
      'filtered_resps',
      Json.object(rows.map((line) => [filterOf(line), line.get('filtered_resps')])),
    )
  else {
    const filteredResps = row.get('filtered_resps')
    if (filteredResps?.text !== `[${output?.text}]`) builder.addExtra('filtered_resps', filteredResps)
    builder.addExtra('filter', row.get('filter'))
  }
  const listedMetrics = row.get('metrics')
  if (!listedMetrics?.isArray) builder.addExtra('metrics', listedMetrics)
  builder.addUnusedMembers(row, new Set([...USED_MEMBERS, ...metrics]))
  for (const otherRow of otherRows) addDifferences(builder, row, otherRow, metrics)
  return builder
}

function addInputs(builder: ScenarioBuilder, doc: Json | undefined, prompt: Json | undefined): void {
  builder.addInputs('doc', doc)
  const freeName = ['prompt', 'arguments', 'prompt #2'].find((name) => !doc?.members.has(name))
  if (prompt) builder.addInput(freeName ?? 'prompt #3', prompt)
}

/** Stores members in which the lines of one document differ unexpectedly. */
function addDifferences(
  builder: ScenarioBuilder,
  row: Json,
  otherRow: Json,
  metrics: ReadonlySet<string>,
): void {
  for (const [name, value] of otherRow.members) {
    if (PER_FILTER_MEMBERS.includes(name) || metrics.has(name) || row.members.get(name)?.text === value.text)
      continue
    builder.addExtra(`${name},${filterOf(otherRow)}`, value)
  }
}

/** `{"gen_args_0": {"arg_0": …, "arg_1": …}}`, or lists in lists in old versions. */
function requestsOf(row: Json): Request[] {
  const args = row.get('arguments')
  return args ? partsOf(args).map(partsOf) : []
}

function partsOf(json: Json): readonly Json[] {
  return json.isArray ? json.elements : [...json.members.values()]
}

/** The arguments without the prompt, which is an input. */
function remainingArguments(row: Json, prompt: Json | undefined): Json | undefined {
  const args = row.get('arguments')
  if (!args?.isObject) return args
  const requests = [...args.members].map(([name, request]): [string, Json] => {
    const others = [...request.members].filter(
      ([part, { text }]) => part !== 'arg_0' || text !== prompt?.text,
    )
    return [name, request.isObject ? Json.object(others) : request]
  })
  return requests.every(([, { text }]) => text === '{}') ? undefined : Json.object(requests)
}

/** The responses of the model, unless they equal the filtered ones. */
function unfilteredResps(row: Json): Json | undefined {
  const resps = row.get('resps')
  const expectedResps = row.get('filtered_resps')?.elements.map((response) => Json.array([response])) ?? []
  return resps?.text === Json.array(expectedResps).text ? undefined : resps
}

function outputOf(row: Json, requests: Request[]): Json | undefined {
  const filteredResps = row.get('filtered_resps')
  if (!filteredResps?.isArray) return filteredResps
  const candidates = scoredRequests(filteredResps, requests)
  if (!candidates) return filteredResps.elements[0]
  const best = candidates.reduce((a, b) => (b.likelihood > a.likelihood ? b : a))
  // There is no best continuation if no likelihood is a number.
  return best.likelihood === Number.NEGATIVE_INFINITY
    ? filteredResps
    : textsOf(candidates)[candidates.indexOf(best)]
}

interface ScoredRequest {
  request: Request
  likelihood: number
}

/** The continuations of a multiple-choice task. Undefined for other tasks. */
function scoredRequests({ elements }: Json, requests: Request[]): ScoredRequest[] | undefined {
  if (elements.length < 2 || elements.length !== requests.length) return undefined
  const candidates = elements.map((pair, index) => ({
    request: requests[index] ?? [],
    likelihood: likelihoodOf(pair),
  }))
  const isChoice = candidates.every(
    ({ request, likelihood }) => request.length > 1 && likelihood !== undefined,
  )
  if (!isChoice) return undefined
  // Some metrics score each continuation a second time without the prompt.
  const promptedRequests = candidates.filter(({ request }) => request[0]?.string !== '')
  return (promptedRequests.length > 0 ? promptedRequests : candidates) as ScoredRequest[]
}

/** Reads `["-12.3", "False"]`, or `[-12.3, false]` in old versions. Undefined for anything else. */
function likelihoodOf(pair: Json): number | undefined {
  const [likelihood, isGreedy, ...others] = pair.elements
  if (!likelihood || !isGreedy || others.length > 0) return undefined
  if (!['true', 'false', '"True"', '"False"'].includes(isGreedy.text)) return undefined
  if (/^-?(inf|nan)$/i.test(likelihood.plain) || likelihood.isNull) return Number.NEGATIVE_INFINITY
  return likelihood.plain === '' || Number.isNaN(Number(likelihood.plain))
    ? undefined
    : Number(likelihood.plain)
}

/** The continuations or, if they are all equal, the prompts. */
function textsOf(candidates: ScoredRequest[]): Json[] {
  const continuations = candidates.map(({ request }) => request[1] as Json)
  const areEqual = new Set(continuations.map(({ text }) => text)).size === 1
  return areEqual ? candidates.map(({ request }) => request[0] as Json) : continuations
}

function addAnswers(builder: ScenarioBuilder, row: Json, requests: Request[]): void {
  const target = row.get('target')
  if (!target) return
  builder.addCorrectAnswer('target', target)
  const filteredResps = row.get('filtered_resps')
  const candidates = filteredResps && scoredRequests(filteredResps, requests)
  if (!candidates) return
  const continuations = textsOf(candidates).map(({ plain }) => plain.trim())
  const docChoices = row.get('doc', 'choices')
  const texts = (docChoices?.get('text') ?? docChoices)?.elements.map(({ plain }) => plain) ?? []
  const choices = texts.length === candidates.length ? texts : continuations
  // A choice can itself be a number.
  if (target.string !== undefined && [...choices, ...continuations].includes(target.string)) return
  for (const index of indexesOf(target)) {
    const choice = choices[index]
    if (choice !== undefined) builder.addCorrectAnswer('choice', Json.of(choice))
  }
}

/** Reads the indexes in a target such as 2, "2", [0, 2] or "[0, 2]". */
function indexesOf(target: Json): number[] {
  return /^(\d+|\[\d+(, ?\d+)*\])$/.test(target.plain) ? (target.plain.match(/\d+/g) ?? []).map(Number) : []
}
