// Tests the client in Chromium: upload progress, streamed request bodies, streamed responses and caching.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type * as client from '../../client/client.ts'
import { startServiceWithClient } from '../support/client-service.ts'
import { openPage, WITHOUT_BROWSER } from '../web/browser.ts'

describe('client in Chromium', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const { baseUrl, key, service } = await startServiceWithClient()
  const page = await openPageWithClient(service.baseUrl)
  const options = { key, baseUrl }

  test('importFile reports upload progress and returns the import report', async () => {
    const { report, progress, size } = await page.evaluate(async (options) => {
      const { Assay } = (await import('/client/client.ts' as string)) as typeof client
      const records = Array.from(
        { length: 20_000 },
        (_, n) => `${JSON.stringify({ id: `${n}`, note: 'x'.repeat(99) })}\n`,
      )
      const file = new Blob(records)
      const progress: number[] = []
      const report = await new Assay(options).importFile(
        file,
        { evaluation: 'uploaded', format: 'scenarios' },
        { onProgress: (sentBytes) => progress.push(sentBytes) },
      )
      return { report, progress, size: file.size }
    }, options)
    assert.partialDeepStrictEqual(report.evaluations, [{ id: 'uploaded', accepted: 20_000, unchanged: 0 }])
    assert.equal(progress.at(-1), size)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
  })

  test('importFile throws AssayError with the import report when the file is rejected', async () => {
    const thrown = await page.evaluate(async (options) => {
      const { Assay, AssayError } = (await import('/client/client.ts' as string)) as typeof client
      const call = new Assay(options).importFile(
        'no JSON',
        { format: 'promptfoo' },
        { onProgress: () => undefined },
      )
      const error = await call.catch((error) => error)
      return error instanceof AssayError && [error.status, error.code, error.report?.stored]
    }, options)
    assert.deepEqual(thrown, [422, 'invalid-content', false])
  })

  test('importFile throws the abort reason when aborted and AssayConnectionError when the connection fails', async () => {
    const thrown = await page.evaluate(async (options) => {
      const { Assay } = (await import('/client/client.ts' as string)) as typeof client
      const controller = new AbortController()
      const file = new Blob(['x'.repeat(5_000_000)])
      const aborted = new Assay(options).importFile(
        file,
        {},
        {
          signal: controller.signal,
          onProgress: () => controller.abort(new Error('Upload canceled.')),
        },
      )
      const unreachable = new Assay({ ...options, baseUrl: 'http://127.0.0.1:1/api', retries: 0 })
      const failedImport = unreachable.importFile('x', {}, { onProgress: () => undefined })
      const errors = await Promise.allSettled([aborted, failedImport])
      return errors.map((error) => error.status === 'rejected' && String(error.reason))
    }, options)
    assert.equal(thrown[0], 'Error: Upload canceled.')
    assert.match(String(thrown[1]), /^AssayConnectionError: /)
  })

  test('sends streams as request bodies and reads responses as streams', async () => {
    const {
      appended,
      imported: importReport,
      ids,
    } = await page.evaluate(async (options) => {
      const { Assay } = (await import('/client/client.ts' as string)) as typeof client
      const assay = new Assay({ ...options, baseUrl: '/api' })
      async function* records() {
        yield { id: 'one' }
        yield { id: 'two' }
      }
      const appended = await assay.appendScenarios('streamed', records())
      const file = new Blob(['{"id":"three"}\n']).stream()
      const importReport = await assay.importFile(file, { evaluation: 'streamed', format: 'scenarios' })
      const ids: string[] = []
      for await (const { id } of assay.scenarios('streamed')) ids.push(id)
      return { appended, imported: importReport, ids }
    }, options)
    assert.deepEqual(appended, { accepted: 2, unchanged: 0 })
    assert.equal(importReport.evaluations[0]?.accepted, 1)
    assert.deepEqual(ids, ['one', 'two', 'three'])
  })

  test('reuses a cached object when the service responds with 304', async () => {
    const statuses: number[] = []
    page.on('response', (response) => statuses.push(response.status()))
    const isSame = await page.evaluate(async (options) => {
      const { Assay } = (await import('/client/client.ts' as string)) as typeof client
      const assay = new Assay(options)
      await assay.appendScenarios('cached', [{ id: 'one' }])
      const firstEvaluation = await assay.getEvaluation('cached')
      return firstEvaluation === (await assay.getEvaluation('cached'))
    }, options)
    assert.ok(isSame)
    assert.equal(statuses.at(-1), 304)
  })
})

/** Opens a page on the origin of the service that can import the client, without its types. */
async function openPageWithClient(baseUrl: string): Promise<Page> {
  const { page } = await openPage({ baseUrl, path: '/livez' })
  await page.route(`${baseUrl}/client/*`, (route) => {
    const { pathname } = new URL(route.request().url())
    const source = readFileSync(new URL(`../..${pathname}`, import.meta.url), 'utf8')
    return route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) })
  })
  return page
}
