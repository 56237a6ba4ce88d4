// assay compare: how evaluations differ from a base, as a table, as JSON or as Markdown; and whether that is good enough.
import { Problem } from '../errors.ts'
import type { Comparison } from '../schema/comparisons.ts'
import { type Settings, wrongUse } from '../settings.ts'
import { evaluatorsOf, readSides, type Sides } from '../store/compared-sides.ts'
import { compareEvaluations } from '../store/comparisons.ts'
import type { EvaluationHead } from '../store/evaluations.ts'
import { findScored } from '../store/evaluators.ts'
import type { Connection } from '../store/store.ts'
import type { Command } from './command.ts'
import { enumerate } from './comparison-figures.ts'
import { comparisonMarkdown } from './comparison-markdown.ts'
import { comparisonText } from './comparison-text.ts'
import { getOwnEvaluation } from './owned.ts'
import { refuseRegressions, type Watched } from './regressions.ts'
import { withStore } from './store.ts'
import { findWorstRows } from './worst-rows.ts'

export const compare: Command = {
  name: 'compare',
  takes: 'BASE CANDIDATE…',
  summary: 'Compares evaluations with a base, scenario by scenario.',
  words: [2, 4],
  expects: 'a base and one to three candidates',
  async run(settings, ids) {
    checkUse(settings, ids)
    const { comparison, report, watched } = await withStore(settings, ({ reader }) =>
      reader.snapshot('query', (snapshot) => look(snapshot, settings, ids)),
    )
    // All at once, so that whoever stops reading after a line has had it.
    process.stdout.write(report)
    if (settings.fail_on_regression) refuseRegressions(comparison, watched, settings.tolerance ?? 0)
  },
}

function checkUse({ json, markdown }: Settings, ids: string[]): void {
  const twice = ids.find((id, place) => ids.indexOf(id) !== place)
  if (twice !== undefined) throw wrongUse(`The evaluation '${twice}' is named twice.`, 'compare')
  if (json && markdown)
    throw wrongUse('--json and --markdown are two forms of one report: choose one.', 'compare')
}

async function look(
  snapshot: Connection,
  settings: Settings,
  ids: string[],
): Promise<{ comparison: Comparison; report: string; watched: Watched }> {
  const heads: EvaluationHead[] = []
  for (const id of ids) heads.push(await getOwnEvaluation(snapshot, settings.project, id))
  const sides = await readSides(snapshot, heads)
  checkEvaluator(sides, settings.on)
  const comparison = await compareBy(snapshot, sides, settings.by)
  const scored = await findScored(snapshot, sides[0].key)
  return {
    comparison,
    watched: settings.on === undefined ? scored : new Map([[settings.on, scored.get(settings.on) ?? 0]]),
    report: await reportOf(snapshot, settings, sides, comparison),
  }
}

function checkEvaluator(sides: Sides, on: string | undefined): void {
  const names = evaluatorsOf(sides)
  if (on === undefined || names.includes(on)) return
  const there =
    names.length === 0 ? 'They have none' : `There are ${enumerate(names.map((name) => `'${name}'`))}`
  throw wrongUse(`No evaluator of these evaluations is called '${on}'. ${there}.`, 'compare')
}

async function compareBy(snapshot: Connection, sides: Sides, by: string): Promise<Comparison> {
  try {
    return await compareEvaluations(snapshot, sides, by)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-request') throw wrongUse(error.message, 'compare')
    throw error
  }
}

async function reportOf(
  snapshot: Connection,
  { json, markdown, on, public_url }: Settings,
  sides: Sides,
  comparison: Comparison,
): Promise<string> {
  if (json) return `${JSON.stringify(comparison, null, 2)}\n`
  if (!markdown) return comparisonText(comparison)
  return comparisonMarkdown(comparison, await findWorstRows(snapshot, sides, comparison, on), public_url)
}
