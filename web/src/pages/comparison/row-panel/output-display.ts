// Decides how the outputs of a row are compared.
import { indentedText } from '../../../format/value-text.ts'
import type { TextFormat } from '../../../state/row-params.ts'

/**
 * `once`: all are equal. `diff`: two texts, or two JSON values. `separate`: side by side, each in its own shape.
 */
export type OutputDisplay = 'once' | 'diff' | 'separate'

/** A value is undefined if the evaluation has no such output, or the output failed. */
export function outputDisplay(values: readonly unknown[], textFormat: TextFormat): OutputDisplay {
  if (values.includes(undefined)) return 'separate'
  const texts = new Set(values.map(indentedText))
  if (texts.size === 1) return 'once'
  if (values.length > 2 || textFormat === 'markdown') return 'separate'
  return 'diff'
}
