// Finds the words that differ between the messages that two conversations have in a turn.
import type { Message, Part } from '../../../../src/conversation/model.ts'
import { parseJsonText } from '../../../../src/conversation/values.ts'
import { indentedText } from '../../format/value-text.ts'
import { alignSequences } from '../sequences.ts'
import { diffWords, type Piece } from '../words.ts'

/** The text of a part, with its changed words. */
export interface ChangedText {
  text: string
  pieces: Piece[]
  /** JSON is not prose. */
  isProse: boolean
}

export type Changes = ReadonlyMap<Part, ChangedText>

/** Changes of a turn are left out if comparing them takes longer. */
const TIMEOUT_MS = 100

export function changesBetween(
  oldMessages: readonly Message[],
  newMessages: readonly Message[],
): { removed: Changes; added: Changes } {
  const deadline = performance.now() + TIMEOUT_MS
  const removed = new Map<Part, ChangedText>()
  const added = new Map<Part, ChangedText>()
  for (const [oldText, newText] of pairTexts(textsOf(oldMessages), textsOf(newMessages))) {
    const { hasMarks, isComplete, ...lines } = diffWords(oldText.text.split('\n'), newText.text.split('\n'), {
      ignoreWhitespace: false,
      timeoutMs: deadline - performance.now(),
    })
    // Texts without a common word are different as a whole.
    if (!hasMarks || !isComplete) continue
    removed.set(oldText.part, { ...oldText, pieces: joinLines(lines.removed) })
    added.set(newText.part, { ...newText, pieces: joinLines(lines.added) })
  }
  return { removed, added }
}

interface PartText {
  part: Part
  /** Only texts of the same kind, by the same role or tool, are compared. */
  kind: string
  text: string
  isProse: boolean
}

function textsOf(messages: readonly Message[]): PartText[] {
  return messages.flatMap(({ role, parts }) => parts.flatMap((part) => readTexts(part, role)))
}

function readTexts(part: Part, owner: string): PartText[] {
  const kind = `${part.kind} ${owner}`
  switch (part.kind) {
    case 'result':
      return part.parts.flatMap((content) => readTexts(content, `result ${part.name}`))
    case 'call':
      return [{ part, kind: `${kind} ${part.name}`, text: indentedText(part.input), isProse: false }]
    case 'json':
      return [{ part, kind, text: indentedText(part.value), isProse: false }]
    case 'media':
      return []
    default: {
      const json = parseJsonText(part.text)
      return [{ part, kind, text: indentedText(json ?? part.text), isProse: json === undefined }]
    }
  }
}

/** Texts that differ, in the same place of both lists. */
function pairTexts(oldTexts: PartText[], newTexts: PartText[]): [PartText, PartText][] {
  const keyOf = ({ kind, text }: PartText) => `${kind}\n${text}`
  const { runs } = alignSequences(oldTexts.map(keyOf), newTexts.map(keyOf), TIMEOUT_MS)
  return runs
    .filter(({ isCommon }) => !isCommon)
    .flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
      const candidates = oldTexts.slice(oldStart, oldEnd)
      return newTexts.slice(newStart, newEnd).flatMap((newText): [PartText, PartText][] => {
        const index = candidates.findIndex(({ kind }) => kind === newText.kind)
        // Texts before it have no counterpart: pairs do not cross.
        const [oldText] = index < 0 ? [] : candidates.splice(0, index + 1).slice(-1)
        return oldText ? [[oldText, newText]] : []
      })
    })
}

function joinLines(lines: Piece[][]): Piece[] {
  return lines.flatMap((pieces, index) => (index === 0 ? pieces : [{ text: '\n' }, ...pieces]))
}
