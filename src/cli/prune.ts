// assay prune: deletes old evaluations of a project.
import { UsageError } from '../errors.ts'
import { findProject } from '../store/access/projects.ts'
import { runTask } from '../store/background/task.ts'
import { deleteEvaluation } from '../store/evaluations/evaluations.ts'
import { findOldEvaluations, type OldEvaluation } from '../store/evaluations/retention.ts'
import { REMOVE_DELETED } from '../store/scenarios/removal.ts'
import type { Command } from './command.ts'
import { formatCount, Progress } from './output/progress.ts'
import { formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

export const prune: Command = {
  async run(settings) {
    const { older_than: age, keep_baselines, dry_run, project: projectName, json } = settings
    if (age === undefined)
      throw new UsageError('Set the age of the evaluations with --older-than, such as 90d.')
    const before = new Date(Date.now() - age).toISOString()
    const evaluations = await withStore(settings, async (store) => {
      const { reader, writer } = store
      const project = (await findProject(reader, projectName)) ?? -1
      const found = await findOldEvaluations(reader, project, before, keep_baselines)
      const progress = new Progress('Deleting', formatCount)
      // One transaction each, so that other writers can continue in between.
      for (const [index, { key, id }] of (dry_run ? [] : found).entries()) {
        await writer.transaction(async (transaction) => {
          await transaction.lock('evaluation', project, id)
          await deleteEvaluation(transaction, key)
        })
        progress.show(index + 1, found.length)
      }
      progress.end()
      if (!dry_run) await runTask(store, REMOVE_DELETED)
      return found
    })
    const scenarioCount = evaluations.reduce((sum, { scenario_count }) => sum + scenario_count, 0)
    if (json) {
      const entries = evaluations.map(({ key: _, ...evaluation }) => evaluation)
      return print(JSON.stringify({ before, dry_run, evaluations: entries }, null, 2))
    }
    if (evaluations.length > 0) print(formatTable(evaluations.map(cellsOf)))
    const summary = `${formatCount(evaluations.length)} evaluations with ${formatCount(scenarioCount)} scenarios, created before ${before}`
    print(dry_run ? `Would delete ${summary}. This was a dry run.` : `Deleted ${summary}.`)
  },
}

function cellsOf({ id, created_at, scenario_count }: OldEvaluation): string[] {
  return [sanitizeLine(id), created_at, `${formatCount(scenario_count)} scenarios`]
}
