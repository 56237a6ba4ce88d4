// Asks a question on the terminal.
import { createInterface } from 'node:readline'
import { sanitizeLine } from './terminal-text.ts'

/** Standard output contains only results, so the question is on standard error. The end of the input means no. */
export async function askYesNo(question: string): Promise<boolean> {
  process.stderr.write(`${sanitizeLine(question)} [y/N] `)
  for await (const answer of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(answer.trim())
  process.stderr.write('\n')
  return false
}
