// The methods of the client about reviews.
import type { HttpClient } from './http-client.ts'
import type { RequestOptions, WriteOptions } from './request.ts'
import { jsonRequest } from './requests.ts'
import type * as wire from './types.ts'
import { VariantOperations } from './variant-operations.ts'

/** The base class of `Assay`. */
export class ReviewOperations extends VariantOperations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    super(http)
    this.#http = http
  }

  /** Returns the reviews of an evaluation, oldest first. */
  listReviews(evaluationId: string, options?: RequestOptions): Promise<wire.Review[]> {
    return this.#http.get({ path: ['evaluations', evaluationId, 'reviews'], ...options })
  }

  /** Creates a review of rows of an evaluation and returns it. */
  createReview(
    evaluationId: string,
    body: wire.ReviewWrite,
    options?: WriteOptions,
  ): Promise<wire.ReviewReport> {
    return this.#http.write(jsonRequest('POST', ['evaluations', evaluationId, 'reviews'], body, options))
  }

  /** Creates a review in which people say which of two evaluations is better in each row, and returns it. */
  createComparisonReview(
    body: wire.ComparisonReviewWrite,
    options?: WriteOptions,
  ): Promise<wire.ReviewReport> {
    return this.#http.write(jsonRequest('POST', ['comparisons', 'reviews'], body, options))
  }

  /** Returns a review with its progress, results, agreement of reviewers, disputed rows and labels. */
  getReview(id: string, options?: RequestOptions): Promise<wire.ReviewReport> {
    return this.#http.get({ path: ['reviews', id], ...options })
  }

  /** Sets the members in the body and returns the review. Answers stay. */
  changeReview(id: string, body: wire.ReviewPatch, options?: WriteOptions): Promise<wire.ReviewReport> {
    return this.#http.write(jsonRequest('PATCH', ['reviews', id], body, options))
  }

  /** Deletes a review with its answers and their results. */
  deleteReview(id: string, options?: WriteOptions): Promise<void> {
    return this.#http.delete(['reviews', id], options)
  }

  /** Replaces labels by another one in all answers to a question. */
  mergeReviewLabels(id: string, body: wire.LabelMerge, options?: RequestOptions): Promise<wire.MergedLabels> {
    return this.#http.write(jsonRequest('POST', ['reviews', id, 'labels'], body, options))
  }

  /** Returns which labels are new, gone, more or less frequent in the candidate. */
  compareReviewLabels(
    query: wire.CompareReviewLabelsQuery,
    options?: RequestOptions,
  ): Promise<wire.LabelComparison> {
    return this.#http.get({ path: ['comparisons', 'labels'], query, ...options })
  }

  /** Returns the questions and the progress. Only with the link of a reviewer. */
  getReviewForm(id: string, options?: RequestOptions): Promise<wire.ReviewForm> {
    return this.#http.get({ path: ['reviews', id, 'form'], ...options })
  }

  /** Returns and reserves the next row. Only with the link of a reviewer. */
  getNextReviewRow(
    id: string,
    query?: wire.GetNextReviewRowQuery,
    options?: RequestOptions,
  ): Promise<wire.NextReviewRow> {
    return this.#http.get({ path: ['reviews', id, 'next'], query, ...options })
  }

  /** Returns the JSON text of the next row and the progress, with exact numbers. */
  async getNextReviewRowText(
    id: string,
    query?: wire.GetNextReviewRowQuery,
    options?: RequestOptions,
  ): Promise<string> {
    return (await this.#http.fetchResponse({ path: ['reviews', id, 'next'], query, ...options })).text()
  }

  /** Returns the rows of a review with the answers that the key can see. */
  listReviewRows(id: string, options?: RequestOptions): Promise<wire.ReviewRowAnswers[]> {
    return this.#http.get({ path: ['reviews', id, 'rows'], ...options })
  }

  /** Returns a row as reviewers see it, with the answers that the key can see. */
  getReviewRow(id: string, scenarioId: string, options?: RequestOptions): Promise<wire.ReviewRow> {
    return this.#http.get({ path: ['reviews', id, 'rows', scenarioId], ...options })
  }

  /** Returns the JSON text of a row, with exact numbers. */
  async getReviewRowText(id: string, scenarioId: string, options?: RequestOptions): Promise<string> {
    const path = ['reviews', id, 'rows', scenarioId]
    return (await this.#http.fetchResponse({ path, ...options })).text()
  }

  /** Stores the answers of the reviewer, or a decision of a key of the project, and returns them. */
  putReviewAnswers(
    id: string,
    scenarioId: string,
    body: wire.AnswersWrite,
    options?: WriteOptions,
  ): Promise<wire.StoredAnswers> {
    return this.#http.write(jsonRequest('PUT', ['reviews', id, 'answers', scenarioId], body, options))
  }

  /** Removes the answers of the reviewer, or the decision, about a row. */
  deleteReviewAnswers(id: string, scenarioId: string, options?: RequestOptions): Promise<void> {
    return this.#http.delete(['reviews', id, 'answers', scenarioId], options)
  }
}
