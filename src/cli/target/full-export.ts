// The lines of full exports, which a store and a service build alike.
import { splitMembers } from '../../json/member-texts.ts'

/** The first line of the copy of an evaluation. The variants are copied before the evaluations. */
export function copyHeader(evaluation: string): string {
  return `{"evaluation":${evaluation},"variant":null,"revision":null}`
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
