// What a route declares for the OpenAPI document, in addition to its method, path and parameters.
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../errors.ts'

declare module 'fastify' {
  /** Routes with an `operationId` are in the document. */
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    /** Operations of the service itself (`service`) need no API key. */
    tag?: 'evaluations' | 'reviews' | 'variants' | 'changes' | 'keys' | 'service'
    /** The schema of the response body. Without it, the response is 204. */
    returns?: TSchema
    /** Default: 200 for GET and PATCH, 201 for POST. */
    status?: number
    /** The media type of the response body. Default: application/json. */
    mediaType?: string
    /** Errors in addition to those that all operations of this kind have. */
    errors?: readonly ErrorCode[]
    /** Whether the response has no ETag, and the operation does not support If-Match. */
    isUnversioned?: boolean
    /** Whether the response has a Location header. */
    hasLocation?: boolean
    /** Whether the response contains a secret. It is then never stored, and Idempotency-Key is not supported. */
    isSecret?: boolean
    /** Default: an API key, or none for operations of the service itself. */
    security?: Record<string, string[]>[]
  }
}
