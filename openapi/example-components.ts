// The examples of bodies, as components of the OpenAPI document.
import type { TSchema } from 'typebox'
import { CSV_EXAMPLES, EXAMPLES } from './examples.ts'

interface Body {
  title?: string
  items?: { title: string }
  examples?: unknown[]
}

export class ExampleComponents {
  readonly components: Record<string, { value: unknown }> = {}

  /** The member `examples` of a body. They are not in schemas, because generators would copy them into comments. */
  describe(body: TSchema) {
    const { title = '', items, examples } = body as Body
    if (examples) return { example: examples[0] }
    const example = EXAMPLES[items?.title ?? title]
    if (example === undefined) return {}
    const name = items ? `${items.title}List` : title
    this.components[name] = { value: items ? [example] : example }
    return { examples: { example: { $ref: `#/components/examples/${name}` } } }
  }
}

/**
 * Representations other than JSON. They are not in `content`, because generated clients would then return a union of
 * types, or text.
 */
export function representationsOf(body: TSchema, formats: string[]) {
  const { title = '', items } = body as Body
  const element = items?.title ?? title
  return {
    ...(formats.includes('ndjson') && {
      'application/x-ndjson': {
        description: 'One element per line.',
        example: `${JSON.stringify(EXAMPLES[element])}\n`,
      },
    }),
    ...(formats.includes('csv') && {
      'text/csv': {
        description: 'One element per row, with a header row. Some values are simplified.',
        example: CSV_EXAMPLES[element],
      },
    }),
  }
}
