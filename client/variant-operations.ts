// The methods of the client about variants and revisions.
import type { HttpClient, Page } from './http-client.ts'
import type { RevisionsQuery } from './options.ts'
import type { RequestOptions, WriteOptions } from './request.ts'
import { jsonRequest } from './requests.ts'
import type * as wire from './types.ts'

/** The base class of `Assay`. */
export class VariantOperations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /** Returns one page of variants, newest first. Without `limit` it returns all of them. */
  listVariants(query?: wire.ListVariantsQuery, options?: RequestOptions): Promise<Page<wire.Variant>> {
    return this.#http.page({ path: ['variants'], query, ...options })
  }

  /** Iterates over all matching variants. Requests pages as needed. */
  variants(query?: wire.ListVariantsQuery, options?: RequestOptions): AsyncIterable<wire.Variant> {
    return this.#http.pages({ path: ['variants'], query, ...options })
  }

  /** Returns one variant. Throws `AssayError` with code `variant-not-found` if it does not exist. */
  getVariant(id: string, options?: RequestOptions): Promise<wire.Variant> {
    return this.#http.get({ path: ['variants', id], ...options })
  }

  /** Creates a variant and returns it. */
  addVariant(body: wire.VariantWrite, options?: RequestOptions): Promise<wire.Variant> {
    return this.#http.write(jsonRequest('POST', ['variants'], body, options))
  }

  /** Sets the members in the body and returns the variant. */
  changeVariant(id: string, body: wire.VariantPatch, options?: WriteOptions): Promise<wire.Variant> {
    return this.#http.write(jsonRequest('PATCH', ['variants', id], body, options))
  }

  /** Deletes a variant and its revisions. */
  deleteVariant(id: string, options?: WriteOptions): Promise<void> {
    return this.#http.delete(['variants', id], options)
  }

  /** Returns all revisions of a variant as one array. */
  listVariantRevisions(
    id: string,
    query?: RevisionsQuery,
    options?: RequestOptions,
  ): Promise<wire.VariantRevision[]> {
    return this.#http.get({ path: ['variants', id, 'revisions'], query, ...options })
  }

  /** Iterates over all revisions of a variant. Throws if the response is incomplete. */
  revisions(
    id: string,
    query?: RevisionsQuery,
    options?: RequestOptions,
  ): AsyncIterable<wire.VariantRevision> {
    return this.#http.stream({ path: ['variants', id, 'revisions'], query, ...options })
  }

  /** Returns the exact JSON text of each revision of a variant. */
  async listVariantRevisionTexts(
    id: string,
    query?: RevisionsQuery,
    options?: RequestOptions,
  ): Promise<string[]> {
    const ndjsonQuery = { ...query, format: 'ndjson' }
    const response = await this.#http.fetchResponse({
      path: ['variants', id, 'revisions'],
      query: ndjsonQuery,
      ...options,
    })
    return (await response.text()).split('\n').slice(0, -1)
  }

  /** Returns one revision. Throws `AssayError` with code `revision-not-found` if it does not exist. */
  getVariantRevision(id: string, revision: number, options?: RequestOptions): Promise<wire.VariantRevision> {
    return this.#http.get({ path: ['variants', id, 'revisions', revision], ...options })
  }

  /** Returns the exact text of the response, in which numbers have all their digits. */
  async getVariantRevisionText(id: string, revision: number, options?: RequestOptions): Promise<string> {
    const path = ['variants', id, 'revisions', revision]
    return (await this.#http.fetchResponse({ path, ...options })).text()
  }

  /** Returns the changes from one revision to another. */
  diffVariantRevisions(
    id: string,
    from: number,
    to: number,
    options?: RequestOptions,
  ): Promise<wire.RevisionDiff> {
    return this.#http.get({
      path: ['variants', id, 'revisions', from, 'diff', to],
      ...options,
    })
  }

  /** Adds a revision to a variant and returns it. */
  addVariantRevision(
    id: string,
    body: wire.RevisionWrite,
    options?: WriteOptions,
  ): Promise<wire.VariantRevision> {
    return this.#http.write(jsonRequest('POST', ['variants', id, 'revisions'], body, options))
  }

  /** Deletes a revision. The others keep their numbers. */
  deleteVariantRevision(id: string, revision: number, options?: WriteOptions): Promise<void> {
    return this.#http.delete(['variants', id, 'revisions', revision], options)
  }
}
