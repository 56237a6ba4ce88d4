// Publishes schemas in the OpenAPI document: named objects become components, and the service's own formats become
// patterns.

/** Requests allow no unknown members. Responses can get new members in later versions. */
export type Direction = 'request' | 'response'

interface Schema {
  title?: string
  type?: string | string[]
  format?: string
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  uniqueItems?: boolean
  [keyword: string]: unknown
}

/** Without control characters, and not one or two dots. Works in engines without lookahead. */
const ID_PATTERN = '^(\\.{3,}|\\.*[^.\\x00-\\x1F\\x7F-\\x9F][^\\x00-\\x1F\\x7F-\\x9F]*)$'
const ID = { minLength: 1, maxLength: 200, pattern: ID_PATTERN }

/** What the formats of requests are in the document. */
const FORMATS: Record<string, object> = {
  id: ID,
  name: ID,
  tag: { minLength: 1, maxLength: 64, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' },
  timestamp: { format: 'date-time' },
}

const MAX_INT32 = 2 ** 31 - 1

export class SchemaPublisher {
  readonly components: Record<string, object> = {}
  /** The named objects that responses contain. Requests contain some of them, too. */
  readonly #responseNames = new Set<string>()

  /** Returns the schema with references to components. Publish all responses before the first request. */
  publish(schema: object, direction: Direction): object {
    return this.#publish(schema as Schema, direction)
  }

  #publish(schema: Schema, direction: Direction): object {
    const types = [schema.type ?? []].flat()
    if (schema.properties === undefined) return this.#publishKeywords(schema, direction)
    const ref = { $ref: `#/components/schemas/${this.#addComponent(schema, direction)}` }
    return types.includes('null') ? { anyOf: [ref, { type: 'null' }] } : ref
  }

  #addComponent(schema: Schema, direction: Direction): string {
    const { title: name } = schema
    if (name === undefined)
      throw new Error(`An object has no name: ${JSON.stringify(schema).slice(0, 200)}. Use namedObject.`)
    if (direction === 'response') this.#responseNames.add(name)
    const isShared = direction === 'request' && this.#responseNames.has(name)
    const componentName = isShared ? `${name}Write` : name
    const previous = this.components[componentName]
    // Reserves the place before its members are published, so that components are in reading order.
    this.components[componentName] ??= {}
    const component = this.#publishKeywords({ ...schema, type: 'object' }, direction)
    if (previous && JSON.stringify(previous) !== JSON.stringify(component))
      throw new Error(`Two different schemas have the name ${componentName}.`)
    this.components[componentName] = component
    return componentName
  }

  #publishKeywords(schema: Schema, direction: Direction): object {
    // Generators turn uniqueItems into sets, which lose the order. The service checks it anyway.
    const {
      title: _,
      uniqueItems: _unique,
      format,
      items,
      properties,
      additionalProperties,
      ...rest
    } = schema
    const isOpen = additionalProperties === false && direction === 'response'
    return {
      ...rest,
      ...this.#publishFormat(schema, direction),
      ...(items && { items: this.#publish(items, direction) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, this.#publish(member, direction)]),
        ),
      }),
      ...(additionalProperties !== undefined && !isOpen && { additionalProperties }),
    }
  }

  #publishFormat({ type = [], format, maximum = Infinity }: Schema, direction: Direction): object {
    const types = [type].flat()
    if (types.includes('number')) return { format: 'double' }
    if (types.includes('integer')) return { format: maximum <= MAX_INT32 ? 'int32' : 'int64' }
    if (format === undefined) return {}
    if (!Object.hasOwn(FORMATS, format)) return { format }
    return direction === 'request' ? (FORMATS[format] as object) : {}
  }
}
