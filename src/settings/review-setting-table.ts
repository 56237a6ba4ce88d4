// Settings of the commands about reviews, and of the links of reviewers.
import type { SettingDeclaration } from './setting-types.ts'

export const REVIEW_COMMANDS = ['review create', 'review list', 'review show', 'review export'] as const

export const REVIEW_SETTINGS = {
  review: {
    type: 'text',
    placeholder: 'REVIEW',
    help: {
      share: 'Id of the review to answer. --name is the name of the reviewer.',
      'review create': 'Id of the new review. If not set, it is generated.',
    },
    commands: ['share', 'review create'],
    variableCommands: [],
  },
  type: {
    type: 'text',
    default: 'verdict',
    placeholder: 'TYPE',
    help: 'What the question asks for: verdict, label, number or text, or preference: which of two outputs is better, with --base.',
    commands: ['review create'],
    variableCommands: [],
  },
  label: {
    type: 'list',
    placeholder: 'LABEL',
    help: 'A suggested label: a failure mode of a verdict, or a value of a label. Repeat the flag or separate labels by commas.',
    commands: ['review create'],
    variableCommands: [],
  },
  question: {
    type: 'text',
    placeholder: 'TEXT',
    help: 'The question as reviewers read it.',
    commands: ['review create'],
    variableCommands: [],
  },
  sample_rows: {
    type: 'integer',
    range: [1, 2147483647],
    help: 'How many rows are reviewed, chosen by --seed. If not set: all rows that match.',
    commands: ['review create'],
    variableCommands: [],
  },
  seed: {
    type: 'integer',
    default: '0',
    range: [0, 2147483647],
    help: 'With --sample-rows: which rows are chosen.',
    commands: ['review create'],
    variableCommands: [],
  },
  reviewers_per_row: {
    type: 'integer',
    default: '1',
    range: [1, 20],
    help: 'How many reviewers answer each row.',
    commands: ['review create'],
    variableCommands: [],
  },
  second_reviewer: {
    type: 'number',
    range: [0, 1],
    help: 'The share of rows that one more reviewer answers, to measure agreement. Default: 0.',
    commands: ['review create'],
    variableCommands: [],
  },
} as const satisfies Record<string, SettingDeclaration>
