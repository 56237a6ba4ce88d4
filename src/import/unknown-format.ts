// Recognizes files that cannot be imported, and says what to import instead.

import { JsonProblem } from '../json/problem.ts'
import { NO_LIMITS, scan } from '../json/scan.ts'
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

const LIMITS = { ...NO_LIMITS, acceptsNaN: true }
const UNFINISHED = /^(?:"(?:[^"\\]|\\.)*\\?|\\?[\w.+-]*\ufffd?)$/s

function textFrom(text: string, offset: number): string {
  return Buffer.from(text).subarray(offset).toString()
}

/** The first error at the beginning of the file, with line, column and the text there. Undefined if there is none. */
export function describeInvalidJson({ head, size }: Source): string | undefined {
  const text = head.toString().replace(/^\ufeff/, '')
  if (!/^\s*[[{]/.test(text)) return undefined
  const isComplete = size <= head.length
  const lines = /^\s*\{.*\}\s*\n\s*\{/.test(text) ? text.split('\n') : [text]
  let lineNumber = 1
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    const fault = line.trim() === '' ? undefined : findFault(line)
    // The file continues after its head, which can end inside of a string, a number or a word.
    const isCut = isLast && !isComplete && fault && UNFINISHED.test(textFrom(line, fault.offset))
    if (fault && !isCut) return describeFault(line, fault, lineNumber)
    lineNumber += 1
  }
  return undefined
}

function findFault(text: string): JsonProblem | undefined {
  try {
    scan(Buffer.from(text), LIMITS)
    return undefined
  } catch (error) {
    if (error instanceof JsonProblem && error.fault === 'syntax') return error
    if (error instanceof JsonProblem) return undefined
    throw error
  }
}

function describeFault(text: string, { message, offset }: JsonProblem, lineNumber: number): string {
  const before = Buffer.from(text).subarray(0, offset).toString()
  const line = lineNumber + before.split('\n').length - 1
  const column = before.length - before.lastIndexOf('\n')
  const found = text.slice(before.length, before.length + 20).split(/[\r\n]/)[0]
  const foundText = found ? ` Found: ${found}` : ''
  return `The file is not valid JSON, line ${line}, column ${column}: ${message}${foundText}`
}
