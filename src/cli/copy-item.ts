// Copies one evaluation or variant: exports it to a temporary file, imports that file, and compares both sides.
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { findImporter } from '../import/formats.ts'
import type { Importer } from '../import/importer.ts'
import { Source } from '../import/source.ts'
import { splitMembers } from '../json/member-texts.ts'
import type { Settings } from '../settings/settings.ts'
import { exportedVariant } from './target/full-export.ts'
import type { Target } from './target/target.ts'
import { NotInProject } from './target/target-errors.ts'
import type { Noun } from './target/target-types.ts'

export interface CopiedItem {
  noun: Noun
  id: string
  /** Whether the copy existed already. */
  isUnchanged: boolean
  /** Why the copy is not exact. */
  failure?: string
}

/** The import formats of exported evaluations and variants. */
const FORMATS = { evaluation: 'scenarios', variant: 'revisions' } as const

export async function copyItem(
  source: Target,
  target: Target,
  noun: Noun,
  id: string,
  settings: Settings,
): Promise<CopiedItem> {
  const fingerprint = new Fingerprint()
  const file = await Source.buffer(fingerprint.observe(await exportItem(source, noun, id)), id, tmpdir())
  try {
    const expected = fingerprint.digest()
    if ((await readFingerprint(target, noun, id)) === expected) return { noun, id, isUnchanged: true }
    const importer = findImporter(file, FORMATS[noun]) as Importer
    const { refusals } = await target.importFile(file, importer, settings)
    if (refusals[0]) return { noun, id, isUnchanged: false, failure: refusals[0].detail }
    if ((await readFingerprint(target, noun, id)) === expected) return { noun, id, isUnchanged: false }
    const failure = `The ${noun} exists in TO with more or different data.`
    return { noun, id, isUnchanged: false, failure }
  } finally {
    await file.close()
  }
}

/** Undefined if the project does not have it. */
async function readFingerprint(target: Target, noun: Noun, id: string): Promise<string | undefined> {
  const fingerprint = new Fingerprint()
  try {
    for await (const _ of fingerprint.observe(await exportItem(target, noun, id)));
  } catch (error) {
    if (error instanceof NotInProject) return undefined
    throw error
  }
  return fingerprint.digest()
}

async function exportItem(target: Target, noun: Noun, id: string): Promise<AsyncIterable<Uint8Array>> {
  return noun === 'evaluation' ? target.exportFull(id, true) : exportVariant(target, id)
}

/** The variant in the first line, then one revision per line. */
async function* exportVariant(target: Target, id: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"variant":${exportedVariant(await target.getText('variant', id))}}\n`)
  for await (const revision of target.listRevisions(id)) yield Buffer.from(`${revision}\n`)
}

const LINE_FEED = 10
/** Members of an evaluation that describe the stored copy and not its content. */
const MEMBERS_OF_COPY = new Set(['updated_at'])

/** A digest of an exported evaluation or variant, to compare it with its copy. */
class Fingerprint {
  readonly #hash = createHash('sha256')
  /** The parts of the first line until it is complete. */
  #header: Buffer[] | undefined = []

  /** Passes all chunks on. */
  async *observe(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      yield chunk
    }
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }

  #add(chunk: Buffer): void {
    if (!this.#header) {
      this.#hash.update(chunk)
      return
    }
    const end = chunk.indexOf(LINE_FEED)
    // A chunk can be reused after this call.
    this.#header.push(Buffer.from(end === -1 ? chunk : chunk.subarray(0, end)))
    if (end === -1) return
    this.#hash.update(describeHeader(Buffer.concat(this.#header).toString()))
    this.#header = undefined
    this.#hash.update(chunk.subarray(end))
  }
}

function describeHeader(line: string): string {
  const evaluation = splitMembers(line).get('evaluation')
  if (evaluation === undefined) return line
  const members = [...splitMembers(evaluation)].filter(([name]) => !MEMBERS_OF_COPY.has(name))
  return JSON.stringify(members)
}
