// A service with helpers to create reviews, to invite reviewers and to answer as one.
import assert from 'node:assert/strict'
import type { NewShare } from '../../src/schema/shares.ts'
import type { Store } from '../../src/store/store.ts'
import { startWriteService } from './write-service.ts'

export const VERDICT = { evaluator: 'human_verdict', type: 'verdict' }

interface ListedRow {
  scenario_id: string
  is_open: boolean
  answers: Record<string, unknown>[]
}

export type ReviewService = Awaited<ReturnType<typeof startReviewService>>
export type Reviewer = Awaited<ReturnType<ReviewService['invite']>>

export async function startReviewService(fill?: (store: Store) => Promise<unknown>) {
  const service = await startWriteService(fill)
  const { send, sendOk, readJson } = service
  let reviewCount = 0

  /** Creates a review with one verdict unless `members` has other questions, and returns its id. */
  async function createReview(evaluation: string, members: object): Promise<string> {
    reviewCount += 1
    const body = { id: `review-${reviewCount}`, questions: [VERDICT], ...members }
    const path = `/api/evaluations/${encodeURIComponent(evaluation)}/reviews`
    const { text, headers } = await sendOk('POST', path, body)
    const { id } = JSON.parse(text)
    assert.equal(headers.location, `/api/reviews/${id}`)
    return id
  }

  async function invite(review: string, name: string) {
    const share: NewShare = JSON.parse(
      (await sendOk('POST', '/api/shares', { confined_to: { review_id: review }, name })).text,
    )
    return reviewerWith(share.key, review)
  }

  /** A reviewer with this key. */
  function reviewerWith(key: string, review: string) {
    const trySend = (method: string, path: string, body?: object, headers = {}) =>
      send(method, `/api/reviews/${review}/${path}`, body, { authorization: key, ...headers })
    async function sendAsReviewer(method: string, path: string, body?: object) {
      const response = await trySend(method, path, body)
      assert.ok(response.status < 300, `${method} ${path} ${response.status} ${response.text}`)
      return response.text === '' ? undefined : JSON.parse(response.text)
    }
    return {
      key,
      trySend,
      send: sendAsReviewer,
      /** Answers the first question of reviews from `createReview`. */
      put: (row: string, value: unknown, more: object = {}) =>
        sendAsReviewer('PUT', `answers/${row}`, {
          answers: [{ evaluator: 'human_verdict', value, ...more }],
        }),
      remove: (row: string) => sendAsReviewer('DELETE', `answers/${row}`),
      next: (after?: string) => sendAsReviewer('GET', after === undefined ? 'next' : `next?after=${after}`),
      rows: (): Promise<ListedRow[]> => sendAsReviewer('GET', 'rows'),
    }
  }

  /** All rows of a review, as a key of the project sees them. */
  const rows = (review: string): Promise<ListedRow[]> => readJson(`/api/reviews/${review}/rows`)

  return { ...service, createReview, invite, reviewerWith, rows }
}
