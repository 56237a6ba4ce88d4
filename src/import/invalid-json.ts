// Finds the syntax error of a JSON file whose format is not detected because of it.
import { JsonProblem } from '../json/problem.ts'
import { NO_LIMITS, scan } from '../json/scan.ts'
import type { Source } from './source.ts'

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
