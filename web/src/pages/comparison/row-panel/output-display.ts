// Decides how the outputs of a row are compared.
import { shapeOf } from '../../../content/shape.ts'
import { indentedText } from '../../../format/value-text.ts'
import type { TextFormat } from '../../../state/row-params.ts'

/**
 * `once`: all are equal. `diff`: two texts, or two JSON values. `conversations`: aligned by turn. `separate`: side by side,
 * each in its own shape.
 */
type OutputDisplay = 'once' | 'diff' | 'conversations' | 'separate'

/** A value is undefined if the evaluation has no such output, or the output failed. */
export function outputDisplay(values: readonly unknown[], textFormat: TextFormat): OutputDisplay {
  const existing = values.filter((value) => value !== undefined)
  const isComplete = existing.length === values.length
  if (isComplete && new Set(values.map(indentedText)).size === 1) return 'once'
  const isPair = isComplete && values.length === 2
  if (textFormat === 'json') return isPair ? 'diff' : 'separate'
  const kinds = new Set(existing.map((value) => COMPARED_AS[shapeOf(value).kind]))
  // A text counts as the answer of the other conversation.
  if (kinds.has('conversation') && existing.length > 1) return 'conversations'
  const isText = kinds.size === 1 && !kinds.has('image')
  return isPair && isText && textFormat === 'text' ? 'diff' : 'separate'
}

const COMPARED_AS = {
  text: 'text',
  code: 'text',
  json: 'json',
  table: 'json',
  conversation: 'conversation',
  image: 'image',
} as const
