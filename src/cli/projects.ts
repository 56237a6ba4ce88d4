// assay projects …: lists and deletes the projects of a store.
import { CommandError } from '../errors.ts'
import { type ListedProject, listProjects as readProjects } from '../store/access/projects.ts'
import { runTask } from '../store/background/task.ts'
import { deleteProject as deleteFromStore } from '../store/delete-project.ts'
import { REMOVE_DELETED } from '../store/scenarios/removal.ts'
import type { Command } from './command.ts'
import { formatCount } from './output/progress.ts'
import { formatTable, print, sanitizeLine } from './output/terminal-text.ts'
import { withStore } from './target/with-store.ts'

export const listProjects: Command = {
  async run(settings) {
    const listed = await withStore(settings, ({ reader }) => readProjects(reader))
    if (settings.json) return print(JSON.stringify(listed, null, 2))
    if (listed.length === 0) return print('The store has no projects.')
    const rows = listed.map(({ name, created_at, evaluations, variants, keys }) => [
      sanitizeLine(name),
      created_at,
      ...[evaluations, variants, keys].map(formatCount),
    ])
    print(formatTable([['NAME', 'CREATED', 'EVALUATIONS', 'VARIANTS', 'ACTIVE KEYS'], ...rows]))
  },
}

export const deleteProject: Command = {
  argumentCount: [1, 1],
  async run(settings, [name = '']) {
    const project = await withStore(settings, async (store) => {
      const found = (await readProjects(store.reader)).find((listed) => listed.name === name)
      if (!found)
        throw new CommandError(
          `The store has no project '${name}'.`,
          'List the projects with assay projects list.',
        )
      if (!settings.yes)
        throw new CommandError(
          `The project '${name}' has ${describeContent(found)}. Nothing was deleted.`,
          'To delete all of this, run the command again with --yes.',
          2,
        )
      await deleteFromStore(store, name)
      await runTask(store, REMOVE_DELETED)
      return found
    })
    if (settings.json) return print(JSON.stringify(project, null, 2))
    print(sanitizeLine(`Deleted the project '${name}' with ${describeContent(project)}.`))
  },
}

function describeContent({ evaluations, variants, keys }: ListedProject): string {
  return `${formatCount(evaluations)} evaluations, ${formatCount(variants)} variants and ${formatCount(keys)} active keys`
}
