// The list of commands, and how the arguments select one.
import { readFileSync } from 'node:fs'
import { CommandError, UsageError } from '../errors.ts'
import { findNearest } from '../settings/nearest.ts'
import { readSettings } from '../settings/settings.ts'
import { type Command, type CommandSummary, commandHelp } from './command.ts'
import { formatEntry } from './output/help-text.ts'
import { print } from './output/terminal-text.ts'

/** Modules are loaded on demand, so that small commands and the help start fast. */
export const COMMANDS: Record<string, CommandSummary & { load(): Promise<Command> }> = {
  serve: {
    summary: 'Serve the web page and the API. The API reference is at /docs.',
    examples: ['assay serve --sample', 'assay serve --data /var/lib/assay --host 0.0.0.0 --workers auto'],
    load: async () => (await import('./serve.ts')).serve,
  },
  import: {
    argumentNames: 'FILE…',
    summary: 'Import result files, or folders of them, into the store. Use - for standard input.',
    examples: ['assay import results.json', 'assay import ./logs --project support --dry-run'],
    load: async () => (await import('./import.ts')).importFiles,
  },
  export: {
    argumentNames: 'EVALUATION',
    summary: 'Export the scenarios of one evaluation to standard output or a file.',
    examples: [
      'assay export nightly-0412 --format csv --output nightly-0412.csv',
      'assay export nightly-0412 --filter result.answer_correct=is.false',
      'assay export nightly-0412 --full',
    ],
    load: async () => (await import('./export.ts')).exportEvaluation,
  },
  compare: {
    argumentNames: '[BASELINE] CANDIDATE…',
    summary:
      'Compare one to three evaluations with a baseline, row by row. One evaluation alone is compared with its default baseline: the declared one, a marked one of its variant, or the previous run.',
    examples: [
      'assay compare nightly-0411 nightly-0412',
      'assay compare nightly-0412',
      'assay compare main pull-request --markdown --fail-on-regression --tolerance 0.02',
      'assay compare nightly-0411 nightly-0412 --by input.topic',
    ],
    load: async () => (await import('./compare.ts')).compare,
  },
  leaderboard: {
    argumentNames: 'EVALUATION…',
    summary:
      'Rank 2 to 50 evaluations by an evaluator, over the rows that all of them have. One argument is a family: the evaluations of one file.',
    examples: [
      'assay leaderboard haiku sonnet gpt-mini --on answer_correct',
      'assay leaderboard main',
      'assay leaderboard --variant support-answer --format csv',
    ],
    load: async () => (await import('./analysis.ts')).leaderboard,
  },
  breakdown: {
    argumentNames: 'EVALUATION',
    summary:
      'Print the statistics of groups of scenarios: by an input, a result or an error. With --base, explain which groups changed.',
    examples: [
      'assay breakdown nightly-0412 --by input.topic',
      'assay breakdown nightly-0412 --by input.topic --base nightly-0411',
      'assay breakdown nightly-0412 --by error',
    ],
    load: async () => (await import('./analysis.ts')).breakdown,
  },
  agreement: {
    argumentNames: 'EVALUATION',
    summary: 'Print how well two evaluators of one evaluation agree, such as a judge and a person.',
    examples: ['assay agreement nightly-0412 --evaluator judge --with human_verdict'],
    load: async () => (await import('./analysis.ts')).agreement,
  },
  share: {
    argumentNames: 'EVALUATION…',
    summary:
      'Print a link that opens one evaluation, comparison or variant until it expires, or with --review the link of a reviewer.',
    examples: [
      'assay share nightly-0412',
      'assay share nightly-0411 nightly-0412 --expires 30d',
      'assay share --review october --name Maya',
    ],
    load: async () => (await import('./share.ts')).share,
  },
  'review create': {
    argumentNames: 'EVALUATION',
    summary:
      'Create a review: a question about rows of an evaluation that people answer, each with a link of assay share --review.',
    examples: [
      'assay review create nightly-0412 --evaluator human_verdict --sample-rows 40 --label Late',
      'assay review create nightly-0412 --evaluator is_right --filter result.judge=is.false',
      'assay review create nightly-0412 --evaluator better --type preference --base nightly-0411',
    ],
    load: async () => (await import('./reviews/reviews.ts')).createReview,
  },
  'review list': {
    argumentNames: 'EVALUATION',
    summary: 'List the reviews of an evaluation, oldest first.',
    examples: ['assay review list nightly-0412'],
    load: async () => (await import('./reviews/reviews.ts')).listReviews,
  },
  'review show': {
    argumentNames: 'REVIEW',
    summary: 'Print the progress, the results and the agreement of reviewers of a review.',
    examples: ['assay review show october'],
    load: async () => (await import('./reviews/reviews.ts')).showReview,
  },
  'review export': {
    argumentNames: 'REVIEW',
    summary: 'Print all answers of a review.',
    examples: ['assay review export october --format csv'],
    load: async () => (await import('./reviews/reviews.ts')).exportReview,
  },
  changes: {
    summary: 'Print the change log of a project, oldest first: what changed, when, and with which key.',
    examples: ['assay changes --since 7d', 'assay changes --action evaluation.deleted,key.revoked --json'],
    load: async () => (await import('./changes.ts')).changes,
  },
  list: {
    summary: 'List the evaluations of a project, newest first, or with --variants its variants.',
    examples: [
      'assay list --limit 20',
      'assay list --variant support-answer --json',
      'assay list --variants',
    ],
    load: async () => (await import('./resources.ts')).list,
  },
  show: {
    argumentNames: 'EVALUATION',
    summary: 'Show one evaluation, or with --variant one variant.',
    examples: ['assay show nightly-0412', 'assay show --variant support-answer --json'],
    load: async () => (await import('./resources.ts')).show,
  },
  delete: {
    argumentNames: 'EVALUATION',
    summary:
      'Delete one evaluation with its scenarios, or with --variant one variant with its revisions. A terminal is asked first. They can be restored only from a backup.',
    examples: ['assay delete nightly-0412', 'assay delete --variant support-answer --yes'],
    load: async () => (await import('./resources.ts')).deleteResource,
  },
  revisions: {
    argumentNames: 'VARIANT',
    summary: 'List the revisions of a variant.',
    examples: ['assay revisions support-answer'],
    load: async () => (await import('./revisions.ts')).revisions,
  },
  diff: {
    argumentNames: 'VARIANT A B',
    summary: 'Print the changes from one revision of a variant to another.',
    examples: ['assay diff support-answer 4 5'],
    load: async () => (await import('./revisions.ts')).diff,
  },
  copy: {
    argumentNames: 'FROM TO',
    summary:
      'Copy a project between stores and services: all variants with their revisions, and all evaluations with their scenarios. Unchanged records are skipped, so that an interrupted copy can be continued. API keys are not copied.',
    examples: [
      'assay copy ./data postgres://assay@db.example/assay',
      'assay copy ./data https://evals.example --project support',
    ],
    load: async () => (await import('./copy.ts')).copy,
  },
  prune: {
    summary: 'Delete old evaluations with their scenarios. They can be restored only from a backup.',
    examples: ['assay prune --older-than 90d --keep-baselines --dry-run'],
    load: async () => (await import('./prune.ts')).prune,
  },
  compact: {
    summary:
      'Make the file of the store smaller after deletions. Reads continue meanwhile, and writes wait, so stop the service first if you can.',
    examples: ['assay compact --data /var/lib/assay'],
    load: async () => (await import('./maintenance.ts')).compact,
  },
  migrate: {
    summary:
      'Migrate the store to the schema of this version. All other commands do this too when they open the store.',
    examples: ['assay migrate --data /var/lib/assay'],
    load: async () => (await import('./maintenance.ts')).migrate,
  },
  backup: {
    argumentNames: 'FILE',
    summary: 'Write a copy of the store to a file. Works while the service runs.',
    examples: ['assay backup backup.db --data /var/lib/assay'],
    load: async () => (await import('./maintenance.ts')).backup,
  },
  restore: {
    argumentNames: 'FILE',
    summary: 'Replace the store by a backup. Stop the service first. The replaced store is kept as a file.',
    examples: ['assay restore backup.db --data /var/lib/assay --revoke-newer-keys'],
    load: async () => (await import('./restore.ts')).restore,
  },
  check: {
    summary: 'Check the integrity of the store and of its derived data.',
    examples: ['assay check --data /var/lib/assay', 'assay check --database sqlite:backup.db'],
    load: async () => (await import('./maintenance.ts')).check,
  },
  'keys create': {
    summary: 'Create an API key and print it. The key is shown only once.',
    examples: ['assay keys create --scope read,write --name ci --expires 30d'],
    load: async () => (await import('./keys.ts')).createKey,
  },
  'keys list': {
    summary: 'List the API keys of a project, without their secrets.',
    examples: ['assay keys list --project support'],
    load: async () => (await import('./keys.ts')).listKeys,
  },
  'keys revoke': {
    argumentNames: 'PUBLIC_ID',
    summary: 'Revoke a key, selected by its public id. Takes effect on the next request.',
    examples: ['assay keys revoke RukVaawW4LD9'],
    load: async () => (await import('./keys.ts')).revokeKey,
  },
  'keys rotate': {
    argumentNames: 'PUBLIC_ID',
    summary:
      'Replace a key: print a new one with the same properties, and expire the old one after the overlap.',
    examples: ['assay keys rotate RukVaawW4LD9 --overlap 1h'],
    load: async () => (await import('./keys.ts')).rotateKey,
  },
  'projects list': {
    summary: 'List the projects of the store.',
    examples: ['assay projects list'],
    load: async () => (await import('./projects.ts')).listProjects,
  },
  'projects delete': {
    argumentNames: 'NAME',
    summary:
      'Delete a project with its evaluations, variants, API keys and change log. They can be restored only from a backup.',
    examples: ['assay projects delete trial --yes'],
    load: async () => (await import('./projects.ts')).deleteProject,
  },
}

/** Throws CommandError on wrong usage, or any error of the command. */
export async function runCommand(argv: string[]): Promise<void> {
  if (argv[0] === '--version') return print(`assay ${readVersion()}`)
  const isHelp = argv.includes('--help') || argv.includes('-h')
  const name = readCommandName(argv)
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!entry) {
    if (isHelp) return print(formatOverview(name))
    if (argv.length === 0) print(formatOverview(name))
    throw unknownCommandError(argv)
  }
  const command = await entry.load()
  if (isHelp) return print(commandHelp(name, entry, command))
  try {
    const { settings, positionals } = readSettings(name, argv.slice(name.split(' ').length))
    const { argumentCount: [min, max] = [0, 0] } = command
    if (positionals.length < min || positionals.length > max) {
      const expected = describeArguments(max, entry, command)
      throw new UsageError(`assay ${name} expects ${expected}, but got ${positionals.length}.`)
    }
    await command.run(settings, positionals)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const message = error.message.replaceAll('\n', ' ')
    throw new CommandError(message, `Run assay ${name} --help for the usage.`, 2)
  }
}

/** The OpenAPI document is part of every installation and has the version of the service. */
function readVersion(): string {
  const document = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  return (JSON.parse(document) as { info: { version: string } }).info.version
}

function describeArguments(
  max: number,
  { argumentNames }: CommandSummary,
  { argumentHelp }: Command,
): string {
  if (max === 0) return 'no arguments'
  return argumentHelp ?? `${max === 1 ? 'one argument' : 'arguments'} (${argumentNames})`
}

/** The command name at the start of the arguments: two words if they name a command, otherwise one. */
function readCommandName(argv: string[]): string {
  const twoWords = argv.slice(0, 2).join(' ')
  return Object.hasOwn(COMMANDS, twoWords) ? twoWords : (argv[0] ?? '')
}

function unknownCommandError([firstWord = '', secondWord]: string[]): CommandError {
  if (firstWord === '')
    return new CommandError('The command is missing.', 'To try it with sample data: assay serve --sample', 2)
  const siblings = subcommandsOf(firstWord)
  const knownNames = siblings.length > 0 ? siblings : Object.keys(COMMANDS)
  const name = siblings.length > 0 && secondWord !== undefined ? `${firstWord} ${secondWord}` : firstWord
  const nearest = findNearest(name, knownNames)
  return new CommandError(
    `Unknown command '${name.replaceAll('\n', ' ')}'.`,
    nearest === undefined
      ? `Commands: ${knownNames.join(', ')}. Run assay --help for details.`
      : `Did you mean assay ${nearest}? Run assay --help for all commands.`,
    2,
  )
}

/** Such as keys create, for keys. */
function subcommandsOf(firstWord: string): string[] {
  return Object.keys(COMMANDS).filter((command) => command.startsWith(`${firstWord} `))
}

/** All commands, or those that start with this word. */
function formatOverview(firstWord: string): string {
  const subcommands = subcommandsOf(firstWord)
  const names = subcommands.length > 0 ? subcommands : Object.keys(COMMANDS)
  const entries = Object.entries(COMMANDS)
    .filter(([name]) => names.includes(name))
    .map(([name, { argumentNames = '', summary }]) =>
      formatEntry(`${name} ${argumentNames}`.trimEnd(), summary),
    )
  const usage = subcommands.length > 0 ? `${firstWord} COMMAND` : 'COMMAND'
  return [
    `Usage: assay ${usage} [settings]`,
    ...(subcommands.length > 0
      ? []
      : ['', 'Assay stores the results of LLM evaluations scenario by scenario, serves and compares them.']),
    '',
    ...entries,
    '',
    `Run assay ${usage} --help for the settings of a command.`,
  ].join('\n')
}
