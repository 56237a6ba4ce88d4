// The parameters of operations, and the components for those that several operations have.
import type { TObject } from 'typebox'
import { IF_MATCH_PATTERN } from '../src/http/request/preconditions.ts'
import { NAMED_FILTERS } from '../src/schema/filters/filter-params.ts'
import { pascalCase } from './responses.ts'
import type { SchemaPublisher } from './schemas.ts'

export interface Operation {
  operationId: string
  parameters: object[]
  responses: Record<string, object>
}

interface Parameter {
  name: string
  in: string
}

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier response. If it still matches, the response is 304.',
  schema: { type: 'string' },
}
export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description:
    'ETags of earlier responses, separated by commas, or `*`. If none of them is an ETag of the current version, the response is 412 and nothing changes. The format and the encoding of the earlier response do not matter.',
  schema: { type: 'string', pattern: IF_MATCH_PATTERN },
}
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique value that you choose. Repeating the request with the same value within 24 hours returns the first response again.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

/** Describes parameters. Those that several operations have become components. */
export class ParameterComponents {
  readonly components: Record<string, object> = {}
  readonly #schemas: SchemaPublisher

  constructor(schemas: SchemaPublisher) {
    this.#schemas = schemas
  }

  describe(parameters: TObject | undefined, location: 'path' | 'query'): object[] {
    const {
      properties = {},
      required = [],
      patternProperties,
    } = (parameters ?? {}) as Partial<TObject> & {
      patternProperties?: Record<string, { items: { pattern: string } }>
    }
    const described = Object.entries(properties).map(([name, schema]) => {
      const { description, ...rest } = this.#schemas.publish(schema, 'request') as { description: string }
      const isRequired = location === 'path' || (required as string[]).includes(name)
      return { name, in: location, ...(isRequired && { required: true }), description, schema: rest }
    })
    if (!patternProperties) return described
    const pattern = Object.keys(patternProperties).join('|')
    const valuePatterns = new Set(Object.values(patternProperties).map(({ items }) => items.pattern))
    // Generators support maps, but not patternProperties.
    const schema = {
      type: 'object',
      propertyNames: { pattern },
      additionalProperties: { type: 'string', pattern: [...valuePatterns].join('|') },
    }
    return [...described, { ...NAMED_FILTERS, schema }]
  }

  /** Replaces parameters that several operations have with references. */
  share(operations: Operation[]): void {
    const uses = operations.flatMap((operation) =>
      operation.parameters.map((parameter) => ({ operation, parameter: parameter as Parameter })),
    )
    const sharedUses = [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter)).values()].filter(
      (group) => group.length > 1,
    )
    const names = new Map<string, string>()
    for (const [first] of sharedUses) {
      const { parameter, operation } = first as (typeof uses)[number]
      const shortName = `${pascalCase(parameter.name)}Parameter`
      const isTaken = Object.hasOwn(this.components, shortName)
      const name = isTaken ? `${pascalCase(operation.operationId)}${shortName}` : shortName
      this.components[name] = parameter
      names.set(JSON.stringify(parameter), name)
    }
    for (const operation of operations) {
      operation.parameters = operation.parameters.map((parameter) => {
        const name = names.get(JSON.stringify(parameter))
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
      })
    }
  }
}
