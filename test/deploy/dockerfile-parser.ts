// Parses a Dockerfile and a .dockerignore file, as far as those of this repository need it.

export interface Stage {
  image: string
  name: string | undefined
  steps: Step[]
}

export interface Step {
  instruction: string
  text: string
}

export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      const [image = '', , name] = splitWords(rest)
      stages.push({ image, name, steps: [] })
    } else {
      const stage = stages.at(-1)
      if (!stage) throw new Error(`${instruction} is before the first FROM`)
      stage.steps.push({ instruction, text: rest })
    }
  }
  return stages
}

export function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Whether the path matches a line of .dockerignore: a path, or a name in any folder after two asterisks. */
export function isIgnored(path: string, patterns: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '')
  return splitWords(patterns).some((pattern) =>
    pattern.startsWith('**/')
      ? segments.includes(pattern.slice('**/'.length))
      : segments.slice(0, pattern.split('/').length).join('/') === pattern,
  )
}
