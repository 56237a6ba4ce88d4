// Compares every read with the model, and checks that ETags change exactly when they must.
import assert from 'node:assert/strict'
import type { Evaluation as ListedEvaluation } from '../../../src/schema/evaluations.ts'
import type { Scores } from '../../../src/schema/scores.ts'
import type { EvaluationSummary } from '../../../src/schema/summaries.ts'
import { bruteForceScores, type ScoredScenario } from '../brute-force-scores.ts'
import type { HttpResponse } from '../http.ts'
import { EVALUATIONS, JSON_TYPE, NDJSON, revisionsPath, scenariosPath, VARIANTS } from '../write-requests.ts'
import { revisionsCsv, scenariosCsv } from './csv.ts'
import { EVALUATION_IDS, VARIANT_IDS } from './documents.ts'
import {
  type Evaluation,
  type Noun,
  type ProjectName,
  type Resource,
  revisionText,
  type Variant,
  type World,
} from './model.ts'
import { missing, type Prediction } from './operation.ts'

export interface Representation {
  format: 'json' | 'ndjson' | 'csv'
  encoding: 'identity' | 'gzip' | 'zstd'
}

const PLAIN: Representation = { format: 'json', encoding: 'identity' }
const MEDIA_TYPES = { json: JSON_TYPE, ndjson: NDJSON, csv: 'text/csv' }

export type Get = (
  project: ProjectName,
  path: string,
  headers: Record<string, string>,
) => Promise<HttpResponse>

/** What earlier reads of a URL returned, in one representation. */
interface ReadHistory {
  etags: string[]
  /** The body that each ETag came with. */
  texts: Map<string, string>
  text: string
  /** The resource of the last read, and how often it had changed. */
  resource: Resource | undefined
  changeCount: number
}

interface Read {
  project: ProjectName
  path: string
  representation?: Representation
  /** The evaluation or variant that is read; undefined if it does not exist. */
  resource: Resource | undefined
  /** The response if it does not exist. */
  missing: Prediction
  /** Whether the ETag depends on the content only, so that the same content has the same ETag again. */
  isContentEtag?: boolean
  /** Returns the expected body. Gets the actual body, because the service assigns ids and times. */
  expected(text: string): string
}

/** Reads what the model contains. Use one for each sequence of writes. */
export class ModelReader {
  readonly #world: World
  readonly #get: Get
  readonly #histories = new Map<string, ReadHistory>()
  /** How often each resource had changed when all its reads were checked. */
  readonly #detailedChecks = new Map<Resource, number>()
  #checkCount = 0

  constructor(world: World, get: Get) {
    this.#world = world
    this.#get = get
  }

  /** Checks both projects, and ids that do not exist. */
  async checkAll(representation: Representation): Promise<void> {
    for (const project of ['a', 'b'] as const) {
      const { evaluations, variants } = this.#world.projects[project]
      for (const id of EVALUATION_IDS)
        if (!evaluations.some((evaluation) => evaluation.id === id))
          await this.#checkEvaluation(project, id, representation)
      for (const id of VARIANT_IDS)
        if (!variants.some((variant) => variant.id === id))
          await this.#checkVariant(project, id, representation)
      await this.checkProject(project, representation)
    }
  }

  /** Checks everything in a project as JSON, and what changed in the given representation too. */
  async checkProject(project: ProjectName, representation: Representation): Promise<void> {
    this.#checkCount += 1
    const { evaluations, variants } = this.#world.projects[project]
    for (const { id } of evaluations) await this.#checkEvaluation(project, String(id), representation)
    for (const { id } of variants) await this.#checkVariant(project, String(id), representation)
    await this.#checkList(project, 'evaluation', EVALUATIONS)
    await this.#checkScores(project)
    await this.#checkList(project, 'variant', VARIANTS)
  }

  /** Whether to read the elements one by one too: after each change, and sometimes without a change. */
  #isDetailed(resource: Resource): boolean {
    const isChanged = this.#detailedChecks.get(resource) !== resource.changeCount
    this.#detailedChecks.set(resource, resource.changeCount)
    return isChanged || this.#checkCount % 4 === 0
  }

  async #checkEvaluation(project: ProjectName, id: string, representation: Representation): Promise<void> {
    const evaluation = this.#world.projects[project].find('evaluation', id)
    const path = scenariosPath(id)
    const read = { project, ...this.#owner(project, 'evaluation', id) }
    await this.#check({
      ...read,
      path: `${EVALUATIONS}/${encodeURIComponent(id)}`,
      expected: (text) => learned(evaluation, text),
    })
    const elements = (hasExtra = false) => {
      const { scenarios = [] } = evaluation ?? {}
      return scenarios.map((scenario) => evaluation?.scenarioText(scenario, hasExtra) ?? '')
    }
    await this.#check({
      ...read,
      path,
      expected(text) {
        evaluation?.learnScenarios(JSON.parse(text))
        return listText(elements())
      },
    })
    if (!evaluation || !this.#isDetailed(evaluation)) return
    await this.#check({ ...read, path: `${path}?include=extra`, expected: () => listText(elements(true)) })
    const expected = () => formatElements(elements(), representation, () => scenariosCsv(evaluation))
    await this.#check({ ...read, path, representation, expected })
    for (const scenario of evaluation.scenarios) {
      const scenarioPath = `${path}/${encodeURIComponent(String(scenario.id))}`
      // With extra, because the ETag of a scenario depends on extra too.
      await this.#check({
        ...read,
        path: `${scenarioPath}?include=extra`,
        isContentEtag: true,
        expected: () => evaluation.scenarioText(scenario, true),
      })
    }
  }

  async #checkVariant(project: ProjectName, id: string, representation: Representation): Promise<void> {
    const variant = this.#world.projects[project].find('variant', id)
    const path = revisionsPath(id)
    const read = { project, ...this.#owner(project, 'variant', id) }
    const elements = () => variant?.sortedRevisions().map(revisionText) ?? []
    await this.#check({
      ...read,
      path: `${VARIANTS}/${encodeURIComponent(id)}`,
      expected: (text) => learned(variant, text),
    })
    await this.#check({
      ...read,
      path,
      expected(text) {
        variant?.learnRevisions(JSON.parse(text))
        return listText(elements())
      },
    })
    if (!variant || !this.#isDetailed(variant)) return
    const messages = () =>
      variant
        .sortedRevisions()
        .map(
          (revision) =>
            `${revisionText(revision).slice(0, -1)},"message":${JSON.stringify(revision.message)}}`,
        )
    await this.#check({ ...read, path: `${path}?include=message`, expected: () => listText(messages()) })
    const expected = () => formatElements(elements(), representation, () => revisionsCsv(variant))
    await this.#check({ ...read, path, representation, expected })
    for (const revision of variant.revisions)
      await this.#check({
        ...read,
        path: `${path}/${revision.number}`,
        expected: () => revisionText(revision),
      })
  }

  #owner(name: ProjectName, noun: Noun, id: string): Pick<Read, 'resource' | 'missing'> {
    const project = this.#world.projects[name]
    return { resource: project.find(noun, id), missing: missing({ world: this.#world, project }, noun, id) }
  }

  async #checkList(project: ProjectName, noun: Noun, path: string): Promise<void> {
    const resources = this.#world.projects[project].list(noun)
    const { status, text } = await this.#get(project, path, {})
    assert.equal(status, 200, text)
    assert.equal(text, listText(resources.map((resource) => resource.text())), `${project} ${path}`)
  }

  async #checkScores(project: ProjectName): Promise<void> {
    const evaluations = this.#world.projects[project].list('evaluation') as Evaluation[]
    const { status, text } = await this.#get(project, `${EVALUATIONS}?include=scores`, {})
    assert.equal(status, 200, text)
    const expected = evaluations.map(
      (evaluation) => `${evaluation.text().slice(0, -1)},"scores":${JSON.stringify(scoresOf(evaluation))}}`,
    )
    assert.equal(text, listText(expected), `${project} scores`)
    await this.#checkBaselines(project)
  }

  /** Compares the changes from baselines in the list with those in the summaries, which are not cached. */
  async #checkBaselines(project: ProjectName): Promise<void> {
    const { text } = await this.#get(project, `${EVALUATIONS}?include=base`, {})
    const list = JSON.parse(text) as (ListedEvaluation & { scores: Scores })[]
    for (const evaluation of list) {
      const { id, scenario_count, scores } = evaluation
      const { baseline, chosen } = findBaseline(evaluation, list)
      const path = `${EVALUATIONS}/${encodeURIComponent(id)}/summary`
      const hasPairs = scenario_count > 0 && (baseline?.scenario_count ?? 0) > 0
      const summary = JSON.parse((await this.#get(project, `${path}${hasPairs ? '?base=' : ''}`, {})).text)
      const expected = hasPairs ? [baseline?.id, chosen] : [undefined, undefined]
      assert.deepEqual([summary.base?.id, summary.base?.chosen], expected, `${project} ${id}`)
      const basesOf = ({ base, evaluators, cost, latency }: EvaluationSummary | Scores) => ({
        // The list does not read revisions.
        base: base && { ...base, changed_parameters: undefined },
        ...{ cost: cost.base, latency: latency.base },
        evaluators: evaluators.map(({ name, base }) => [name, base]),
      })
      assert.deepEqual(basesOf(scores), basesOf(summary), `${project} ${id}`)
    }
  }

  async #check(read: Read): Promise<void> {
    const { project, path, representation = PLAIN, resource, missing, isContentEtag, expected } = read
    const name = `${project} ${path} ${Object.values(representation).join(' ')}`
    const history = this.#histories.get(name) ?? {
      etags: [],
      texts: new Map(),
      text: '',
      resource: undefined,
      changeCount: 0,
    }
    const lastEtag = history.etags.at(-1)
    const headers = {
      accept: MEDIA_TYPES[representation.format],
      'accept-encoding': representation.encoding,
    }
    const response = await this.#get(project, path, {
      ...headers,
      ...(lastEtag && { 'if-none-match': lastEtag }),
    })
    if (!resource) {
      assert.equal(response.status, missing.status, `${name} ${response.text}`)
      assert.equal(JSON.parse(response.text).code, missing.code)
      return
    }
    const etag = String(response.headers.etag)
    const isSameResource = history.resource === resource
    if (response.status === 304) {
      assert.ok(isSameResource || isContentEtag, `${name}: 304 after the resource was deleted`)
      assert.equal(etag, lastEtag)
      assert.equal(history.text, expected(history.text), `${name}: 304, but the body changed`)
    } else {
      assert.equal(response.status, 200, `${name} ${response.text}`)
      assert.equal(response.text, expected(response.text), name)
      assert.ok(
        !isSameResource || history.changeCount !== resource.changeCount,
        `${name}: the ETag changed from ${lastEtag} to ${etag} without a write that has an effect`,
      )
      const earlierText = history.texts.get(etag)
      if (isContentEtag) {
        assert.notEqual(response.text, history.text, `${name}: the ETag changed, but not the body`)
        assert.equal(
          earlierText ?? response.text,
          response.text,
          `${name}: another body had the ETag ${etag}`,
        )
      } else assert.equal(earlierText, undefined, `${name}: the ETag ${etag} was used before`)
      history.texts.set(etag, response.text)
      history.etags = [...history.etags.filter((earlier) => earlier !== etag), etag]
    }
    if (response.status === 200) history.text = response.text
    this.#histories.set(name, Object.assign(history, { resource, changeCount: resource.changeCount }))
    if (history.etags.length < 2 || response.status === 304) return
    const oldEtags = history.etags.slice(0, -1).join(', ')
    const again = await this.#get(project, path, { ...headers, 'if-none-match': oldEtags })
    assert.deepEqual([again.status, again.headers.etag, again.text], [200, etag, response.text], name)
  }
}

/** The default baseline of an evaluation. The list contains all evaluations of the project, the newest first. */
function findBaseline(own: ListedEvaluation, list: ListedEvaluation[]) {
  if (own.baseline_id !== null) {
    const declared = list.find(({ id }) => id === own.baseline_id && id !== own.id)
    return { baseline: declared, chosen: 'declared' }
  }
  const older = list
    .slice(list.indexOf(own) + 1)
    .filter(({ variant_id }) => variant_id !== null && variant_id === own.variant_id)
    .filter(({ status, scenario_count }) => status === 'finished' && scenario_count > 0)
  const marked = older.find((one) => list.some((other) => other !== one && other.baseline_id === one.id))
  return marked ? { baseline: marked, chosen: 'marked' } : { baseline: older[0], chosen: 'previous' }
}

function scoresOf(evaluation: Evaluation) {
  const declared = JSON.parse(evaluation.columns.evaluators ?? 'null')
  const scenarios = evaluation.scenarios.map(
    (scenario): ScoredScenario => JSON.parse(evaluation.scenarioText(scenario)),
  )
  return bruteForceScores(declared, scenarios, evaluation.columnNames.results)
}

function learned(resource: Evaluation | Variant | undefined, text: string): string {
  resource?.learn(JSON.parse(text))
  return resource?.text() ?? ''
}

const listText = (elements: string[]) => `[${elements.join()}]`

function formatElements(elements: string[], { format }: Representation, csv: () => string): string {
  if (format === 'csv') return csv()
  return format === 'json' ? listText(elements) : elements.map((element) => `${element}\n`).join('')
}
