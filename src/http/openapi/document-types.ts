// The parts of an OpenAPI document that the API reference shows.

export interface OpenApi {
  info: { title: string; version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    examples: Record<string, { value: unknown }>
  }
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  description?: string
  security?: object[]
  parameters: Reference[]
  requestBody?: Body
  responses: Record<string, Reference>
}

/** An object of the document, or a reference to one. */
export interface Reference {
  $ref?: string
}

export interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  /** Whether each member of the object is a separate query parameter. */
  explode?: boolean
  schema: Schema
}

export interface Schema extends Reference {
  type?: string | string[]
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: (string | null)[]
  minimum?: number
  maximum?: number
  minItems?: number
}

export interface Body {
  content?: Record<string, MediaType>
  /** Other media types, by name. */
  'x-representations'?: Record<string, MediaType>
}

export interface MediaType {
  schema?: Schema
  example?: unknown
  examples?: { example: Reference }
}

export interface Response extends Body {
  description: string
  headers?: Record<string, object>
  'x-problem-codes'?: string[]
}

export type Components = OpenApi['components']
