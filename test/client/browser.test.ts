// The client in a real browser, compiled as it is published: uploads that tell their progress, bodies that a browser
// cannot stream, answers that it can.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type * as client from '../../client/client.ts'
import { freshFolder } from '../harness.ts'
import { launched, WITHOUT_BROWSER } from '../web/browser.ts'
import { served } from './served.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('in Chromium', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const { baseUrl, key, service } = await served()
  const page = await openPage(service.base)
  const here = { key, baseUrl }

  test('an upload tells how far it is, and is answered', async () => {
    const { report, told, size } = await page.evaluate(async (here) => {
      const { Assay } = (await import('/client/client.js' as string)) as typeof client
      const records = Array.from(
        { length: 20_000 },
        (_, n) => `${JSON.stringify({ id: `${n}`, note: 'x'.repeat(99) })}\n`,
      )
      const file = new Blob(records)
      const told: number[] = []
      const report = await new Assay(here).importFile(
        file,
        { evaluation: 'uploaded', format: 'scenarios' },
        { onProgress: (sentBytes) => told.push(sentBytes) },
      )
      return { report, told, size: file.size }
    }, here)
    assert.deepEqual(report.evaluations, [{ id: 'uploaded', accepted: 20_000, unchanged: 0 }])
    assert.equal(told.at(-1), size)
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
  })

  test('an upload that is refused throws what the service said', async () => {
    const thrown = await page.evaluate(async (here) => {
      const { Assay, AssayError } = (await import('/client/client.js' as string)) as typeof client
      const call = new Assay(here).importFile(
        'no JSON',
        { format: 'promptfoo' },
        { onProgress: () => undefined },
      )
      const error = await call.catch((error) => error)
      return error instanceof AssayError && [error.status, error.code, error.report?.stored]
    }, here)
    assert.deepEqual(thrown, [422, 'invalid-content', false])
  })

  test('an upload that is given up throws the reason, one that fails a connection error', async () => {
    const thrown = await page.evaluate(async (here) => {
      const { Assay } = (await import('/client/client.js' as string)) as typeof client
      const controller = new AbortController()
      const file = new Blob(['x'.repeat(5_000_000)])
      const given = new Assay(here).importFile(
        file,
        {},
        {
          signal: controller.signal,
          onProgress: () => controller.abort(new Error('Nobody waits.')),
        },
      )
      const nowhere = new Assay({ ...here, baseUrl: 'http://127.0.0.1:1/api', retries: 0 })
      const lost = nowhere.importFile('x', {}, { onProgress: () => undefined })
      const errors = await Promise.allSettled([given, lost])
      return errors.map((error) => error.status === 'rejected' && String(error.reason))
    }, here)
    assert.equal(thrown[0], 'Error: Nobody waits.')
    assert.match(String(thrown[1]), /^AssayConnectionError: /)
  })

  test('streams are sent, and read', async () => {
    const { appended, imported, ids } = await page.evaluate(async (here) => {
      const { Assay } = (await import('/client/client.js' as string)) as typeof client
      const assay = new Assay({ ...here, baseUrl: '/api' })
      async function* records() {
        yield { id: 'one' }
        yield { id: 'two' }
      }
      const appended = await assay.appendScenarios('streamed', records())
      const file = new Blob(['{"id":"three"}\n']).stream()
      const imported = await assay.importFile(file, { evaluation: 'streamed', format: 'scenarios' })
      const ids: string[] = []
      for await (const { id } of assay.scenarios('streamed')) ids.push(id)
      return { appended, imported, ids }
    }, here)
    assert.deepEqual(appended, { accepted: 2, unchanged: 0 })
    assert.equal(imported.evaluations[0]?.accepted, 1)
    assert.deepEqual(ids, ['one', 'two', 'three'])
  })

  test('what has not changed is not sent again', async () => {
    const statuses: number[] = []
    page.on('response', (response) => statuses.push(response.status()))
    const isSame = await page.evaluate(async (here) => {
      const { Assay } = (await import('/client/client.js' as string)) as typeof client
      const assay = new Assay(here)
      await assay.appendScenarios('kept', [{ id: 'one' }])
      const first = await assay.getEvaluation('kept')
      return first === (await assay.getEvaluation('kept'))
    }, here)
    assert.ok(isSame)
    assert.equal(statuses.at(-1), 304)
  })
})

/** A page of the service's origin that can import the client. */
async function openPage(base: string): Promise<Page> {
  const folder = freshFolder()
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', join(ROOT, 'client/tsconfig.build.json'), '--outDir', folder])
  const page = await (await launched()).newPage()
  await page.route(`${base}/client/*`, (route) => {
    const name = new URL(route.request().url()).pathname.slice('/client/'.length)
    return route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(folder, name), 'utf8') })
  })
  await page.goto(`${base}/livez`)
  return page
}
