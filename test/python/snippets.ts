// Reads the Python snippets of the docs as the steps of one program per page.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, readBlocks } from '../docs/page.ts'
import { ROOT } from '../support/test-run.ts'

/** `run_page.py` runs these steps in order. */
export type Step =
  /** Code that shares its variables with the other snippets of the page. `line` is that of its first line. */
  | { kind: 'code'; line: number; text: string }
  | { kind: 'file'; line: number; name: string; text: string }
  /** Shell commands that run the files before them. `output` is what the page shows after them. */
  | { kind: 'command'; line: number; text: string; output?: string[] }

/** Snippets that need a tool or an account that the tests do not have: page, first words and reason. */
export const NOT_RUN: [page: string, start: string, reason: string][] = [
  [
    'docs/how-to/import-deepeval.md',
    'evaluate(test_cases, metrics, identifier=',
    'needs deepeval and a model',
  ],
  ['docs/how-to/import-deepeval.md', 'import dataclasses, json', 'needs deepeval and a model'],
  ['docs/how-to/import-openai.md', 'import sys\nfrom openai', 'needs the package openai and an account'],
  ['docs/how-to/import-presets.md', 'result.to_pandas()', 'needs ragas and a model'],
]

/** Code that runs before a page: its snippets need variables and stored data of the reader. */
export const PREPARATION: Record<string, string> = {
  'docs/how-to/import-tables.md':
    'import pandas; frame = pandas.DataFrame({"input": ["Why?"], "output": ["So."]})',
  // The stored evaluation has the results that the page adds, because a command of the page deletes them.
  'docs/how-to/re-score.md':
    'import assay_client; assay_client.Client().request("DELETE", ["evaluations", "nightly-0412", "results"], query={"evaluator": "is_short"})',
}

const FILE_NAME = /^# ([\w./-]+\.py)$/
/** The commands of a shell block that run a file. The others are run by test/docs-commands.test.ts. */
const FILE_COMMAND = /^(?:\w+=\S+ )*(?:pytest|python3?) /

/** The pages with a Python snippet that is run. */
export function pagesWithSnippets(): string[] {
  const pages = ['README.md', 'client/README.md', 'python/README.md']
  for (const name of readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md')) pages.push(join('docs', name))
  return pages.filter((page) => readSteps(page, readPage(page)).length > 0)
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The entries of NOT_RUN that match no snippet. */
export function outdatedEntries(): string[] {
  return NOT_RUN.filter(
    ([page, start]) => !pythonBlocks(readPage(page)).some((block) => startsWith(block, start)),
  ).map(([page, start]) => `${page}: ${start}`)
}

function pythonBlocks(content: string): Block[] {
  return readBlocks(content.split('\n')).filter(({ language }) => language === 'python')
}

function startsWith({ lines }: Block, start: string): boolean {
  return lines.join('\n').startsWith(start)
}

/** Throws if no command runs a file of the page. */
export function readSteps(page: string, content: string): Step[] {
  const steps: Step[] = []
  let unusedFile: string | undefined
  for (const block of readBlocks(content.split('\n'))) {
    const line = block.start + 2
    if (block.language === 'python') {
      if (NOT_RUN.some(([listed, start]) => listed === page && startsWith(block, start))) continue
      const text = `${block.lines.join('\n')}\n`
      const [, name] = FILE_NAME.exec(block.lines[0] ?? '') ?? []
      if (name !== undefined) steps.push({ kind: 'file', line, name, text })
      else steps.push({ kind: 'code', line, text })
      unusedFile = name ?? unusedFile
    } else if (block.language === 'sh' && unusedFile !== undefined) {
      const commands = block.lines.filter((line) => FILE_COMMAND.test(`${line} `))
      if (commands.length === 0) continue
      steps.push({ kind: 'command', line, text: commands.join('\n') })
      unusedFile = undefined
    } else if (block.language === 'text') {
      const command = steps.at(-1)
      if (command?.kind === 'command') command.output ??= block.lines
    }
  }
  if (unusedFile !== undefined) throw new Error(`${page}: no command runs ${unusedFile}`)
  return steps
}

/** The lines that a step prints according to the page. */
export function expectedLines(step: Step): string[] {
  if (step.kind === 'command') return step.output ?? []
  return step.kind === 'code' ? [...step.text.matchAll(/# → (.*)$/gm)].map(([, line = '']) => line) : []
}

/** The first expected line that is not printed after those before it. … stands for any text. */
export function missingLine(expected: string[], output: string): string | undefined {
  const printed = output.split('\n')
  return expected.find((line) => {
    const pattern = new RegExp(`^${line.split('…').map(RegExp.escape).join('.*')}$`)
    const index = printed.findIndex((text) => pattern.test(text))
    printed.splice(0, index + 1)
    return index < 0
  })
}
