// The work that a service does in the background, as text.
import { formatCount } from './progress.ts'

/** For example: `The service does the rest in the background: remove deleted evaluations (evaluations: 3).` */
export function formatRemainingTasks(tasks: { task: string; evaluations: number }[]): string {
  const list = tasks.map(({ task, evaluations }) => `${task} (evaluations: ${formatCount(evaluations)})`)
  return `The service does the rest in the background: ${list.join(', ')}.`
}
