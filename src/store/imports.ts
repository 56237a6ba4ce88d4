// A file on its way into the store: its findings are set aside, and stored together or not at all.
import { clipped } from '../schema/clipped.ts'
import type { Found, Remark } from '../schema/findings.ts'
import type { Imported, ImportReport } from '../schema/imports.ts'
import type { Written } from '../schema/written.ts'
import type { Transaction } from './dialect/dialect.ts'
import { type Head, ImportedFindings } from './imported-findings.ts'
import { OrderedSpool } from './ordered-spool.ts'
import type { Packer, Unpacker } from './packing.ts'
import { SCENARIO_PACKING, type ScenarioRow, scenarioRow } from './scenario-rows.ts'
import { type Packing, Spool } from './spool.ts'

/** What is in the store, or would be, once the findings are stored. */
export interface ImportResult {
  evaluations: Imported[]
  variants: Imported[]
  /** The texts of the first scenarios. */
  first: string[]
}

const SHOWN = 3

export class StagedImport {
  readonly #heads: Spool<Head>
  readonly #rows: OrderedSpool<ScenarioRow>
  readonly #evaluations: string[] = []
  readonly #refusals = new Remarks()
  readonly #repairs = new Remarks()
  #isSpoiled = false

  constructor(folder: string) {
    this.#heads = new Spool(folder, HEAD_PACKING)
    this.#rows = new OrderedSpool(folder, SCENARIO_PACKING)
  }

  /** How many scenarios are set aside. */
  get count(): number {
    return this.#rows.count
  }

  /** Whether nothing of it is to be stored. What an evaluation is cannot be left out of it. */
  isRefused(skipsInvalid: boolean): boolean {
    return this.#isSpoiled || (this.#refusals.count > 0 && !skipsInvalid)
  }

  async add(found: Found): Promise<void> {
    if (found.kind === 'refusal') this.#refusals.add(found)
    else if (found.kind === 'repair') this.#repairs.add(found)
    else if (found.kind === 'scenario') {
      const { evaluation = this.#evaluations.length - 1, order, written, place } = found
      const row = scenarioRow(this.#evaluations[evaluation] ?? '', written, place)
      await this.#rows.add(row, evaluation, order)
    } else {
      if (found.kind === 'evaluation') this.#evaluations.push(found.id)
      await this.#heads.add(found)
    }
  }

  /** Records whose id or number is taken by something else are refused, and left out. */
  async store(
    transaction: Transaction,
    project: number,
    onStored: (scenarios: number) => void = () => undefined,
  ): Promise<ImportResult> {
    const imported = new ImportedFindings(transaction, project, (refusal, isHead) => {
      this.#refusals.add(refusal)
      this.#isSpoiled ||= isHead
    })
    const first: string[] = []
    let [evaluation, stored] = [0, 0]
    for await (const heads of this.#heads.batches()) {
      for (const head of heads) {
        await imported.take(head)
        if (head.kind !== 'evaluation') continue
        for await (const rows of this.#rows.batches(evaluation)) {
          for (const row of rows.slice(0, SHOWN - first.length)) first.push(textOf(row))
          await imported.addScenarios(rows)
          stored += rows.length
          onStored(stored)
        }
        evaluation += 1
      }
    }
    return { ...(await imported.finish()), first }
  }

  report(
    file: { file: string; format: string },
    { result, ...outcome }: { stored: boolean; result?: ImportResult | undefined; isDry?: boolean },
  ): ImportReport {
    return {
      ...file,
      stored: outcome.stored,
      evaluations: result?.evaluations ?? [],
      variants: result?.variants ?? [],
      refused: this.#refusals.records,
      refusals: this.#refusals.first,
      repaired: this.#repairs.count,
      repairs: this.#repairs.first,
      first: outcome.isDry ? (result?.first ?? []).map((text) => JSON.parse(text)) : [],
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#heads.close(), this.#rows.close()])
  }
}

/** A scenario as it is read with its extra. */
function textOf({ body, extra }: ScenarioRow): string {
  const text = Buffer.from(body).toString()
  return extra === null ? text : `${text.slice(0, -1)},"extra":${Buffer.from(extra).toString()}}`
}

const LISTED = 1000

/** The first of them in words, all of them counted. */
class Remarks {
  readonly first: Remark[] = []
  count = 0
  /** Records, not what is wrong with them: one record may have several faults. */
  readonly #records = new Set<number | null>()

  get records(): number {
    return this.#records.size
  }

  add({ record, line, pointer, detail }: Remark): void {
    this.count += 1
    this.#records.add(record)
    if (this.first.length === LISTED) return
    this.first.push({ record, line, pointer: clipped(pointer), detail: clipped(detail) })
  }
}

const KINDS = ['evaluation', 'variant', 'revision'] as const

const HEAD_PACKING: Packing<Head> = {
  pack(packer, head) {
    packer.number(KINDS.indexOf(head.kind))
    const place = head.kind === 'variant' ? undefined : head.place
    packer.number(place?.index ?? null)
    packer.number(place?.line ?? null)
    packer.text(head.kind === 'revision' ? null : head.id)
    packer.number(head.kind === 'evaluation' && head.ranRevision ? 1 : 0)
    packWritten(packer, head.written)
  },

  unpack(unpacker) {
    const kind = KINDS[unpacker.number() ?? 0] ?? 'evaluation'
    const [index, line] = [unpacker.number(), unpacker.number()]
    const id = unpacker.text() ?? ''
    const ranRevision = unpacker.number() === 1
    const place = index === null || line === null ? undefined : { index, line }
    if (kind === 'variant') return { kind, id, written: unpackWritten<object>(unpacker) }
    if (kind === 'revision')
      return { kind, place: place ?? { index: 0, line: 1 }, written: unpackWritten(unpacker) }
    return { kind, id, ranRevision, written: unpackWritten<object>(unpacker), ...(place && { place }) }
  },
}

function packWritten(packer: Packer, { value, texts }: Written<unknown>): void {
  packer.text(JSON.stringify([value, [...texts]]))
}

/** The value is one of the kind that was packed. */
function unpackWritten<Value>(unpacker: Unpacker): Written<Value> {
  const [value, texts] = JSON.parse(unpacker.text() ?? '') as [Value, [string, string][]]
  return { value, texts: new Map(texts) }
}
