// What a write operation of the model is, and the errors that operations have in common.
import type fc from 'fast-check'
import type { Noun, Project, World } from './model.ts'

/** What the model predicts for a request. */
export interface Prediction {
  status: number
  /** The code of a problem. */
  code?: string
  /** Returns the expected body. Gets the actual body, because the service assigns ids and times. */
  body?(text: string): string
  /** Returns the expected Location header. Called after `body`. */
  location?(): string
}

/** Where a request writes. */
export interface Target {
  world: World
  project: Project
  /** Path parameters. */
  ids: string[]
}

export interface RequestContent {
  query?: string
  body?: string
  isNdjson?: boolean
}

/** One entry per write operation. `Content` describes the body. */
export interface WriteOperation<Content> {
  method: string
  /** How often the operation is generated, relative to others. */
  weight: number
  ids: fc.Arbitrary<string[]>
  content: fc.Arbitrary<Content>
  path(ids: string[]): string
  request(content: Content, ids: string[]): RequestContent
  /** Returns the error of a request that is rejected before its body is read. */
  check?(target: Target): Prediction | undefined
  /** Returns the error of an invalid body. */
  checkBody?(content: Content): Prediction | undefined
  /** Changes the model and returns the response. */
  store(target: Target, content: Content): Prediction
}

export const rejected = (status: number, code: string): Prediction => ({ status, code })
export const conflict = rejected(409, 'conflict')
export const invalidContent = rejected(422, 'invalid-content')

/** The error of a request for an id that this project does not contain. */
export function missing({ world, project }: Omit<Target, 'ids'>, noun: Noun, id: string): Prediction {
  const isForeign = world.other(project).find(noun, id) !== undefined
  return isForeign ? rejected(403, 'access-denied') : rejected(404, `${noun}-not-found`)
}
