// Settings of the commands other than `serve`.
import { REVIEW_COMMANDS, REVIEW_SETTINGS } from './review-setting-table.ts'
import type { SettingDeclaration } from './setting-types.ts'

export const KEY_COMMANDS = ['keys create', 'keys list', 'keys revoke', 'keys rotate'] as const
export const PROJECT_COMMANDS = ['projects list', 'projects delete'] as const

/** Commands about a project, which work on a store or over HTTP on a service. */
export const REMOTE_COMMANDS = [
  ...(['import', 'export', 'compare', 'breakdown', 'leaderboard', 'agreement', 'share', 'changes'] as const),
  ...(['list', 'show', 'delete', 'revisions', 'diff'] as const),
  ...REVIEW_COMMANDS,
] as const

export const COMMAND_SETTINGS = {
  project: {
    type: 'text',
    default: 'default',
    placeholder: 'NAME',
    help: 'Project to use. It is created with its first key or import.',
    commands: ['keys create', 'keys list', ...REMOTE_COMMANDS, 'copy', 'prune'],
  },
  to_project: {
    type: 'text',
    placeholder: 'NAME',
    help: 'Project to copy to, if TO is a store. Default: the name of the copied project.',
    commands: ['copy'],
  },
  from_key: {
    type: 'text',
    placeholder: 'KEY',
    help: 'API key of the service FROM, if both are services. It needs the scope read.',
    commands: ['copy'],
  },
  to_key: {
    type: 'text',
    placeholder: 'KEY',
    help: 'API key of the service TO, if both are services. It needs the scopes read and write.',
    commands: ['copy'],
  },
  scope: {
    type: 'list',
    default: 'read',
    placeholder: 'SCOPES',
    help: 'Scopes of the key: read, write or read,write.',
    commands: ['keys create'],
  },
  ...REVIEW_SETTINGS,
  name: {
    type: 'text',
    placeholder: 'TEXT',
    help: {
      'keys create': 'Name of the key, to recognize it in lists.',
      share: 'Name of the link, to recognize it in lists. With --review: the name of the reviewer.',
      'review create': 'Name of the review, which reviewers see.',
    },
    commands: ['keys create', 'share', 'review create'],
  },
  expires: {
    type: 'text',
    placeholder: 'TIME',
    help: {
      'keys create':
        'When the key expires: a time such as 2027-01-31T12:00:00Z, or a duration from now such as 30d. Default: never.',
      share:
        'When the link expires: a time such as 2027-01-31T12:00:00Z, or a duration from now such as 30d. Default: 7d, or earlier if the API key of a service expires earlier.',
    },
    commands: ['keys create', 'share'],
  },
  overlap: {
    type: 'duration',
    default: '24h',
    help: 'How long the old key remains valid.',
    commands: ['keys rotate'],
  },
  format: {
    type: 'text',
    placeholder: 'NAME',
    help: {
      import: 'File format, instead of automatic detection. assay import --help lists the formats.',
      export: 'json, ndjson or csv. Default: json.',
      leaderboard: 'json or csv, instead of text.',
      'review export': 'json, ndjson or csv. Default: json.',
    },
    commands: ['import', 'export', 'leaderboard', 'review export'],
    // The formats are different ones, so one variable cannot set both.
    variableCommands: ['import'],
  },
  csv: {
    type: 'text',
    placeholder: 'excel',
    help: 'With --format csv: excel adds an apostrophe to cells that a spreadsheet could read as a formula. This changes the data.',
    commands: ['export', 'leaderboard'],
  },
  evaluation: {
    type: 'text',
    placeholder: 'ID',
    help: 'Id of the evaluation to import into. Overrides the id in the file.',
    commands: ['import'],
  },
  variant: {
    type: 'text',
    placeholder: 'ID',
    help: {
      import: 'Id of the variant. A file of revisions is added to it.',
      share: 'Id of the variant to share.',
      list: 'Only evaluations of the variant with this id.',
      leaderboard: 'Rank the newest 50 evaluations of this variant.',
      show: 'Id of the variant to show.',
      delete: 'Id of the variant to delete.',
    },
    commands: ['import', 'share', 'list', 'leaderboard', 'show', 'delete'],
    // A variable that is set for imports must not choose what another command shows or deletes.
    variableCommands: ['import'],
  },
  variants: {
    type: 'boolean',
    help: 'List variants instead of evaluations.',
    commands: ['list'],
  },
  limit: {
    type: 'integer',
    default: '100',
    range: [1, 1000000],
    help: 'Maximum number of evaluations or variants.',
    commands: ['list'],
  },
  map: {
    type: 'text',
    placeholder: 'COLUMNS',
    help: 'Roles of table columns, as COLUMN=ROLE[.KEY][:TYPE] separated by commas, for example answer=output,correct=score:bool,latency_ms=latency:ms. Other columns are recognized by their names and values.',
    commands: ['import'],
  },
  dry_run: {
    type: 'boolean',
    help: {
      import: 'Report what the import would do, without storing anything.',
      prune: 'List what would be deleted, without deleting anything.',
    },
    commands: ['import', 'prune'],
  },
  skip_invalid: {
    type: 'boolean',
    help: 'Skip invalid records, list them, and store the others. Without this flag, one invalid record rejects its whole file.',
    commands: ['import'],
  },
  on_conflict: {
    type: 'text',
    placeholder: 'RULE',
    help: 'What happens to a scenario whose id exists with different content. error (default): its record is rejected. replace: the stored scenario is replaced; its pin, its note and results of human evaluators are kept. skip: the stored scenario stays as it is. replace_all: like --replace.',
    commands: ['import'],
  },
  replace: {
    type: 'boolean',
    help: 'Afterwards the evaluation contains exactly the scenarios of the file. Others are deleted. Pins and notes of scenarios with the same id or the same inputs are kept, and results of human evaluators if the outputs are the same.',
    commands: ['import'],
  },
  baseline: {
    type: 'text',
    placeholder: 'ID',
    help: 'Id of the evaluation to compare the imported one with. It does not have to exist yet. The file must contain one evaluation.',
    commands: ['import'],
  },
  full: {
    type: 'boolean',
    help: 'Export everything that import needs to restore the evaluation, as NDJSON: first the evaluation and the revision it ran, then the scenarios with their extra objects.',
    commands: ['export'],
  },
  output: {
    type: 'text',
    placeholder: 'FILE',
    help: 'File to write. It appears under this name when it is complete. If not set: standard output.',
    commands: ['export'],
  },
  by: {
    type: 'text',
    placeholder: 'GROUPS',
    help: {
      compare:
        'Explain each change by groups of rows: by the value of an input (input.NAME), by the result of an evaluator (result.EVALUATOR), or by the error message of the output (error).',
      breakdown:
        'Required. What the rows are grouped by: the value of an input (input.NAME), the result of an evaluator (result.EVALUATOR), or the error message of the output (error).',
    },
    commands: ['compare', 'breakdown'],
  },
  filter: {
    type: 'filters',
    help: {
      export:
        'Export only the rows that match, such as result.answer_correct=is.false. Repeat the flag for several filters: all of them must match.',
      show: 'Count only the rows that match, such as result.answer_correct=is.false. Repeat the flag for several filters: all of them must match.',
      'review create':
        'Review only the rows that match, such as result.answer_correct=is.false. Repeat the flag for several filters: all of them must match.',
    },
    commands: ['export', 'show', 'review create'],
    // A variable would leave out rows without notice.
    variableCommands: [],
  },
  base: {
    type: 'text',
    placeholder: 'EVALUATION',
    help: {
      breakdown: 'Id of a baseline. Explains what changed since then, group by group.',
      export: 'Id of the baseline that the filter delta.EVALUATOR refers to.',
      show: 'Id of the baseline that the filter delta.EVALUATOR refers to.',
      'review create':
        'Id of the baseline that the filter delta.EVALUATOR refers to. With --type preference: reviewers compare its outputs with those of EVALUATION.',
    },
    commands: ['breakdown', 'export', 'show', 'review create'],
    variableCommands: ['breakdown'],
  },
  evaluator: {
    type: 'text',
    placeholder: 'NAME',
    help: {
      agreement: 'Required. Evaluator to check, such as a judge.',
      'review create': 'Required. Evaluator that the results of the answers have, such as human_verdict.',
    },
    commands: ['agreement', 'review create'],
    variableCommands: ['agreement'],
  },
  with: {
    type: 'text',
    placeholder: 'NAME',
    help: 'Required. Evaluator to compare it with, such as the verdicts of people.',
    commands: ['agreement'],
  },
  join: {
    type: 'text',
    default: 'auto',
    placeholder: 'KEY',
    help: {
      compare:
        'Join key that matches scenarios of two evaluations: id, input (all inputs), input.NAME (one input) or position. auto selects the first of id, input and position that matches nearly all scenarios. Groups of --by need auto.',
      leaderboard:
        'Join key that matches rows: id, input (all inputs), input.NAME (one input) or position. auto uses id if it matches nearly all rows, otherwise the better one of id and input.',
    },
    commands: ['compare', 'leaderboard'],
  },
  on: {
    type: 'list',
    placeholder: 'EVALUATOR',
    help: {
      compare:
        'Evaluators that --fail-on-regression checks, and whose worst regressions and groups are listed. Repeat the flag or separate names by commas. If not set: verdicts, and evaluators with a declared direction or threshold, except those of people.',
      leaderboard: 'The evaluator to rank by. If not set: the one that the most evaluations have.',
    },
    commands: ['compare', 'leaderboard'],
    // The gate can check several evaluators, a leaderboard ranks by one.
    variableCommands: ['compare'],
  },
  fail_on_regression: {
    type: 'boolean',
    help: 'Decide whether the candidate is worse than the baseline: the report begins with the decision. Exit with code 1 if it is worse, and with 3 if that cannot be decided.',
    commands: ['compare'],
  },
  tolerance: {
    type: 'number',
    help: 'With --fail-on-regression: fail if a checked evaluator is certainly worse by more than this. 0.02 is 2 points of a pass rate. Default: 0.',
    commands: ['compare'],
  },
  max_loss: {
    type: 'number',
    help: 'With --fail-on-regression: fail if the observed loss of a checked evaluator is larger, even if it can be chance. Default: 0.05 for verdicts (5 points), no limit for numbers.',
    commands: ['compare'],
  },
  max_regressed: {
    type: 'integer',
    range: [0, 1_000_000_000],
    help: 'With --fail-on-regression: fail if more rows regressed on a checked evaluator. Default: no limit.',
    commands: ['compare'],
  },
  min_matched: {
    type: 'number',
    range: [0, 1],
    help: 'With --fail-on-regression: the gate is invalid if a smaller share of the rows of the baseline is matched. Default: 0.95.',
    commands: ['compare'],
  },
  rows: {
    type: 'integer',
    default: '5',
    range: [0, 1000],
    help: 'How many of the worst regressions are listed.',
    commands: ['compare'],
  },
  markdown: {
    type: 'boolean',
    help: 'Print Markdown for a pull request, with links to the worst regressions.',
    commands: ['compare'],
  },
  revoke_newer_keys: {
    type: 'boolean',
    help: 'Revoke the keys that are active in the backup, but were revoked after it. Keys that got an earlier expiry keep it.',
    commands: ['restore'],
  },
  action: {
    type: 'list',
    placeholder: 'ACTIONS',
    help: 'Only changes with these actions, such as evaluation.deleted. assay changes --help lists them.',
    commands: ['changes'],
  },
  key_id: {
    type: 'text',
    placeholder: 'ID',
    help: 'Only changes made with the key that has this public id. cli selects changes by commands.',
    commands: ['changes'],
  },
  since: {
    type: 'text',
    placeholder: 'TIME',
    help: 'Only changes at or after this time: a date such as 2026-11-01 (midnight UTC), a time such as 2026-11-01T09:30:00Z, or a duration before now such as 7d.',
    commands: ['changes'],
  },
  until: {
    type: 'text',
    placeholder: 'TIME',
    help: 'Only changes before this time, written like --since.',
    commands: ['changes'],
  },
  older_than: {
    type: 'duration',
    help: 'Age of the evaluations to delete, by their creation time, such as 90d.',
    commands: ['prune'],
  },
  keep_baselines: {
    type: 'boolean',
    help: 'Keep evaluations that another evaluation names as its baseline.',
    commands: ['prune'],
  },
  yes: {
    type: 'boolean',
    help: {
      delete: 'Delete without asking. Only a terminal is asked.',
      'projects delete': 'Confirm the deletion.',
    },
    commands: ['delete', 'projects delete'],
    // A variable would also confirm deletions that were not meant.
    variableCommands: [],
  },
  json: {
    type: 'boolean',
    help: 'Print JSON instead of text.',
    commands: [
      ...[...KEY_COMMANDS, ...PROJECT_COMMANDS, 'import', 'compare', 'share', 'changes', 'restore', 'check'],
      ...['breakdown', 'leaderboard', 'agreement', 'list', 'show', 'delete', 'revisions', 'diff'],
      ...['copy', 'prune', 'compact', 'migrate', 'review create', 'review list', 'review show'],
    ],
  },
} as const satisfies Record<string, SettingDeclaration>
