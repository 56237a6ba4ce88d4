// Full exports: their lines, and reads of an evaluation with its scenarios.
import type { Assay } from 'assay-client'
import { CommandError } from '../../errors.ts'
import { splitMembers } from '../../json/member-texts.ts'

/** What the first line of a full export contains, as JSON texts. Variant and revision are null if there is none. */
interface ExportHeader {
  evaluation: string
  variant?: string | undefined
  revision?: string | undefined
  /** A list. */
  reviews: string
}

/** The first line of a full export, or of the copy of an evaluation: its variant is copied before it. */
export function exportHeader({ evaluation, variant, revision, reviews }: ExportHeader): string {
  const reviewsMember = reviews === '[]' ? '' : `,"reviews":${reviews}`
  return `{"evaluation":${evaluation},"variant":${variant ?? 'null'},"revision":${revision ?? 'null'}${reviewsMember}}`
}

/** The members of a variant that an export contains, from its JSON text. */
export function exportedVariant(variant: string): string {
  const members = splitMembers(variant)
  return `{${['id', 'name', 'created_at'].map((name) => `"${name}":${members.get(name)}`).join(',')}}`
}

export async function* prependLine(
  line: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${line}\n`)
  yield* bytes
}

/** The lines of NDJSON, without their line feeds. Throws if the last line is incomplete. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const chunk of bytes) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const incompleteLine = lines.pop() ?? ''
    for (const line of lines) {
      yield parts.join('') + line
      parts = []
    }
    if (incompleteLine !== '') parts.push(incompleteLine)
  }
  if (parts.length > 0) throw new Error('The last line of the response is incomplete.')
}

/** How often an export starts again because the evaluation has changed between its two requests. */
const MAX_ATTEMPTS = 5

/** The text of an evaluation and the response with its scenarios, both of the same version. */
export async function readEvaluation(
  assay: Assay,
  id: string,
): Promise<{ evaluation: string; scenarios: Response }> {
  for (let attempt = 1; ; attempt++) {
    const query = { include: 'extra,has_generated_id', format: 'ndjson' }
    const scenarios = await assay.read(['evaluations', id, 'evaluation_scenarios'], query)
    const response = await assay.read(['evaluations', id])
    const evaluation = await response.text()
    if (versionOf(scenarios) === versionOf(response)) return { evaluation, scenarios }
    await scenarios.body?.cancel()
    if (attempt === MAX_ATTEMPTS)
      throw new CommandError(
        `The evaluation '${id}' changes while it is read.`,
        'Try again when nothing writes to it.',
      )
  }
}

/** The version of the evaluation: the ETag without its format and encoding. */
function versionOf({ headers }: Response): string | undefined {
  return /^"(.+)-(?:nd)?json\d+(?:-\w+)?"$/.exec(headers.get('etag') ?? '')?.[1]
}
