// What lm-evaluation-harness says of one document, a line for each filter, as a scenario.
import { Json } from '../json/value.ts'
import { Draft } from './draft.ts'

const PER_FILTER = ['filter', 'metrics', 'filtered_resps']
const USED = ['doc_id', 'doc', 'target', 'arguments', 'resps', ...PER_FILTER]
const NO_METRICS: ReadonlySet<string> = new Set([...USED, 'doc_hash', 'prompt_hash', 'target_hash'])

/** What the model was asked: its prompt and what goes with it, or a prompt and a continuation to rate. */
type Request = Json[]

/** The names of a line's metrics. Old versions do not list them. */
export function metricsOf(row: Json): string[] {
  const listed = row.get('metrics')
  if (listed?.isArray) return listed.elements.map(({ plain }) => plain)
  return [...row.members]
    .filter(([name, value]) => !NO_METRICS.has(name) && value.string === undefined && !value.isObject)
    .map(([name]) => name)
}

export function filterOf(row: Json): string {
  return row.get('filter')?.plain ?? 'none'
}

/** The name of a metric among the evaluators. */
export function evaluatorOf(metric: string, filter: string, isOneOfSeveral: boolean): string {
  return isOneOfSeveral ? `${metric},${filter}` : metric
}

/** The lines are of one document, by different filters. */
export function draftOf(rows: [Json, ...Json[]], id: string, hasSeveralFilters: boolean): Draft {
  const draft = new Draft(id)
  const [row, ...others] = rows
  const requests = requestsOf(row)
  const prompt = requests[0]?.[0]
  addInputs(draft, row.get('doc'), prompt)
  addAnswers(draft, row, requests)
  const output = outputOf(row, requests)
  if (output) draft.output({ value: output })
  const metrics = new Set<string>()
  for (const of of rows) {
    for (const metric of metricsOf(of)) {
      metrics.add(metric)
      draft.result(evaluatorOf(metric, filterOf(of), hasSeveralFilters), { value: of.get(metric) })
    }
  }
  draft.extra('arguments', argumentsBeside(row, prompt))
  draft.extra('resps', respsBeside(row))
  if (hasSeveralFilters)
    draft.extra('filtered_resps', Json.object(rows.map((of) => [filterOf(of), of.get('filtered_resps')])))
  else {
    const filtered = row.get('filtered_resps')
    if (filtered?.text !== `[${output?.text}]`) draft.extra('filtered_resps', filtered)
    draft.extra('filter', row.get('filter'))
  }
  const listed = row.get('metrics')
  if (!listed?.isArray) draft.extra('metrics', listed)
  draft.rest(row, new Set([...USED, ...metrics]))
  for (const other of others) addDifferences(draft, row, other, metrics)
  return draft
}

function addInputs(draft: Draft, doc: Json | undefined, prompt: Json | undefined): void {
  if (doc?.isObject) for (const [name, value] of doc.members) draft.input(name, value)
  else if (doc) draft.input('doc', doc)
  const free = ['prompt', 'arguments', 'prompt #2'].find((name) => !doc?.members.has(name))
  if (prompt) draft.input(free ?? 'prompt #3', prompt)
}

/** Lines of one document should differ in nothing else. */
function addDifferences(draft: Draft, row: Json, other: Json, metrics: ReadonlySet<string>): void {
  for (const [name, value] of other.members) {
    if (PER_FILTER.includes(name) || metrics.has(name) || row.members.get(name)?.text === value.text) continue
    draft.extra(`${name},${filterOf(other)}`, value)
  }
}

/** `{"gen_args_0": {"arg_0": …, "arg_1": …}}`, or lists in lists in old versions. */
function requestsOf(row: Json): Request[] {
  const given = row.get('arguments')
  return given ? partsOf(given).map(partsOf) : []
}

function partsOf(json: Json): Json[] {
  return json.isArray ? json.elements : [...json.members.values()]
}

/** Without the prompt, which is an input. */
function argumentsBeside(row: Json, prompt: Json | undefined): Json | undefined {
  const given = row.get('arguments')
  if (!given?.isObject) return given
  const requests = [...given.members].map(([name, request]): [string, Json] => {
    const others = [...request.members].filter(
      ([part, { text }]) => part !== 'arg_0' || text !== prompt?.text,
    )
    return [name, request.isObject ? Json.object(others) : request]
  })
  return requests.every(([, { text }]) => text === '{}') ? undefined : Json.object(requests)
}

/** What the model said, where the filter left it as it was, is not kept a second time. */
function respsBeside(row: Json): Json | undefined {
  const resps = row.get('resps')
  const unfiltered = row.get('filtered_resps')?.elements.map((response) => Json.array([response])) ?? []
  return resps?.text === Json.array(unfiltered).text ? undefined : resps
}

function outputOf(row: Json, requests: Request[]): Json | undefined {
  const filtered = row.get('filtered_resps')
  if (!filtered?.isArray) return filtered
  const rated = ratedRequests(filtered, requests)
  if (!rated) return filtered.elements[0]
  const best = rated.reduce((a, b) => (b.likelihood > a.likelihood ? b : a))
  // Nobody won where no likelihood is a number.
  return best.likelihood === Number.NEGATIVE_INFINITY ? filtered : textsOf(rated)[rated.indexOf(best)]
}

interface Rated {
  request: Request
  likelihood: number
}

/** The continuations that were to be chosen from; undefined where there was nothing to choose. */
function ratedRequests({ elements }: Json, requests: Request[]): Rated[] | undefined {
  if (elements.length < 2 || elements.length !== requests.length) return undefined
  const rated = elements.map((pair, index) => ({
    request: requests[index] ?? [],
    likelihood: likelihoodOf(pair),
  }))
  const isChoice = rated.every(({ request, likelihood }) => request.length > 1 && likelihood !== undefined)
  if (!isChoice) return undefined
  // Some metrics rate each continuation once more without the prompt.
  const prompted = rated.filter(({ request }) => request[0]?.string !== '')
  return (prompted.length > 0 ? prompted : rated) as Rated[]
}

/** Of `["-12.3", "False"]`, or `[-12.3, false]` in old versions; undefined where it is no such pair. */
function likelihoodOf(pair: Json): number | undefined {
  const [likelihood, isGreedy, ...others] = pair.elements
  if (!likelihood || !isGreedy || others.length > 0) return undefined
  if (!['true', 'false', '"True"', '"False"'].includes(isGreedy.text)) return undefined
  if (/^-?(inf|nan)$/i.test(likelihood.plain) || likelihood.isNull) return Number.NEGATIVE_INFINITY
  return likelihood.plain === '' || Number.isNaN(Number(likelihood.plain))
    ? undefined
    : Number(likelihood.plain)
}

/** The continuations; where those are all the same, what stands before them. */
function textsOf(rated: Rated[]): Json[] {
  const continuations = rated.map(({ request }) => request[1] as Json)
  const areSame = new Set(continuations.map(({ text }) => text)).size === 1
  return areSame ? rated.map(({ request }) => request[0] as Json) : continuations
}

function addAnswers(draft: Draft, row: Json, requests: Request[]): void {
  const target = row.get('target')
  if (!target) return
  draft.answer('target', target)
  const filtered = row.get('filtered_resps')
  const rated = filtered && ratedRequests(filtered, requests)
  if (!rated) return
  const continuations = textsOf(rated).map(({ plain }) => plain.trim())
  const listed = row.get('doc', 'choices')
  const texts = (listed?.get('text') ?? listed)?.elements.map(({ plain }) => plain) ?? []
  const choices = texts.length === rated.length ? texts : continuations
  // A number may also be what was to be chosen.
  if (target.string !== undefined && [...choices, ...continuations].includes(target.string)) return
  for (const index of indexesOf(target)) {
    const choice = choices[index]
    if (choice !== undefined) draft.answer('choice', Json.of(choice))
  }
}

/** Of a target like 2, "2", [0, 2] or "[0, 2]". */
function indexesOf(target: Json): number[] {
  return /^(\d+|\[\d+(, ?\d+)*\])$/.test(target.plain) ? (target.plain.match(/\d+/g) ?? []).map(Number) : []
}
