// Finds the commands of a page without reading its structure, to check that the tests have executed all of them.

export interface FoundCommand {
  /** The number of its first line. */
  line: number
  /** The number of its last line: a backslash continues a command. */
  lastLine: number
  /** Without what follows a pipe, a semicolon or a comment. */
  text: string
}

/** The command at its start, or after the user of sudo or the container of Docker Compose. */
const COMMAND = /(?<![\w./@=-]|exec |-u (?=assay assay))(?:assay(?:@[\w.]+)?|curl)(?= +[-\w"'$.\\])/g

export function collectCommands(page: string): FoundCommand[] {
  const lines = page.split('\n')
  return lines.flatMap((line, index) =>
    [...line.matchAll(COMMAND)].map((match) => {
      const lastIndex = lines.findIndex((line, other) => other >= index && !line.endsWith('\\'))
      const text = [line.slice(match.index), ...lines.slice(index + 1, lastIndex + 1)].join('\n')
      return {
        line: index + 1,
        lastLine: lastIndex + 1,
        text: text.replace(/`.*|;\s.*|\s+[|#&>].*/s, '').replace(/\s*\\\n\s*/g, ' '),
      }
    }),
  )
}
