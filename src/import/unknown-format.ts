// Recognizes files that cannot be imported, and says what to import instead.
import type { Source } from './source.ts'

const PROMPTFOO_JSON = 'For results of promptfoo, write JSON: promptfoo eval -o results.json.'
const AS_TABLE =
  'Write one record per line with input, output and scores, such as {"input.question":"…","output":"…","score.correct":true}.'

/** The first bytes of the pickle protocols 2 to 5. */
const PICKLE_SIGNATURES = ['\x80\x02', '\x80\x03', '\x80\x04', '\x80\x05']

interface Hint {
  matches(start: string, source: Source): boolean
  text: string
}

const has = ({ jsonPreview }: Source, ...paths: string[]) =>
  paths.every((path) => jsonPreview?.paths.has(path))

/** In this order, because a workbook is a ZIP archive too. `start` contains the first bytes as Latin-1. */
const HINTS: readonly Hint[] = [
  {
    matches: (start, { size, head }) =>
      size <= head.length && /^(?:\xef\xbb\xbf)?\s*(?:\[\s*\]|\{\s*\})?\s*$/.test(start),
    text: 'The file contains no records.',
  },
  {
    matches: (start) => start.startsWith('PK') && /\[Content_Types\]\.xml|xl\//.test(start),
    text: 'The file is an Excel workbook. Save it as CSV UTF-8 and import that file.',
  },
  {
    matches: (start) => start.startsWith('\xd0\xcf\x11\xe0'),
    text: 'The file is an old Excel workbook. Save it as CSV UTF-8 and import that file.',
  },
  {
    matches: (start) => start.startsWith('PK'),
    text: 'The file is a ZIP archive. Extract it, and import the files in it.',
  },
  {
    matches: (start, { name }) =>
      PICKLE_SIGNATURES.includes(start.slice(0, 2)) || /\.(?:pkl|pickle)$/i.test(name),
    text: "The file is a Python pickle. It is not read, because a pickle can run code. Save the data as a table: df.to_csv('results.csv', index=False).",
  },
  {
    matches: (start) => start.startsWith('SQLite format 3\0'),
    text: 'The file is a SQLite database. To copy evaluations from a store of Assay, use assay copy.',
  },
  {
    matches: (start) => /^\s*<(?:!doctype html|html)/i.test(start),
    text: `The file is a web page. ${PROMPTFOO_JSON}`,
  },
  { matches: (start) => /^\s*<\?xml/.test(start), text: `The file is XML. ${PROMPTFOO_JSON}` },
  {
    matches: (start, { name }) =>
      /\.ya?ml$/i.test(name) || /^(?:---\r?\n|[\w-]+:(?: [^\r\n]*)?\r?\n(?:[\w-]+:|[ -]))/.test(start),
    text: `The file is YAML. ${PROMPTFOO_JSON}`,
  },
  {
    matches: (_, source) => has(source, 'op_name', 'trace_id'),
    text: `The file contains calls from W&B Weave, which cannot be imported as they are. ${AS_TABLE}`,
  },
]

/** Undefined if nothing is known about the file. */
export function describeUnsupported(source: Source): string | undefined {
  const start = source.head.toString('latin1')
  return HINTS.find((hint) => hint.matches(start, source))?.text
}
