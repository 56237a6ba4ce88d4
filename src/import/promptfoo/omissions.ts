// Lists what a promptfoo file contains about the whole run but Assay does not keep.
import type { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { omissionNote } from '../read-records.ts'

const USED_MEMBERS = [
  'evalId',
  'id',
  'version',
  'createdAt',
  'author',
  'config',
  'metadata',
  'prompts',
  'results',
  'table',
]
const USED_CONFIG_MEMBERS = [
  'description',
  'prompts',
  'providers',
  'tags',
  'derivedMetrics',
  'tests',
  'scenarios',
]
const USED_METADATA_MEMBERS = ['promptfooVersion', 'author', 'evaluationCreatedAt']
const USED_RESULT_MEMBERS = ['version', 'timestamp', 'prompts', 'results', 'table']

export function* omissionNotes(head: Json): Generator<ImportEvent> {
  const results = head.get('results')
  const config = head.get('config')
  // The members with the tests are dropped when the file is read, so they are null here.
  const testLists = ['tests', 'scenarios'].filter((name) => config?.members.has(name))
  if (testLists.length > 0)
    yield omissionNote('/config', `${testLists.join(' and ')}: each result contains its own test.`)
  for (const [pointer, value, used] of [
    ['/config', config, USED_CONFIG_MEMBERS],
    ['/metadata', head.get('metadata'), USED_METADATA_MEMBERS],
    ['/results', results, USED_RESULT_MEMBERS],
    ['', head, USED_MEMBERS],
  ] as const) {
    const names = unusedNames(value, used)
    if (names.length > 0) yield omissionNote(pointer, `${names.join(', ')}.`)
  }
  const prompts = (results?.get('prompts') ?? head.get('prompts'))?.elements ?? []
  if (prompts.some((prompt) => !isEmpty(prompt.get('metrics'))))
    yield omissionNote(
      '/results/prompts',
      'metrics: totals of each column. The scenarios contain the results.',
    )
  const table = head.get('table') ?? results?.get('table')
  if (table)
    yield omissionNote(head.get('table') ? '/table' : '/results/table', 'The results contain its data.')
}

const MAX_NAMES = 20

function unusedNames(value: Json | undefined, used: readonly string[]): string[] {
  const names = Array.from(value?.members ?? [])
    .filter(([name, member]) => !used.includes(name) && !isEmpty(member))
    .map(([name]) => name)
  return names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names
}

function isEmpty(value: Json | undefined): boolean {
  return !value || ['null', '{}', '[]', '""', 'false'].includes(value.text)
}
