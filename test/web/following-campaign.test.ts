// A page of an evaluation that another process extends quickly: nothing jumps, memory stays flat, and the end is exact.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { formatCount } from '../../web/src/format/numbers.ts'
import { sizes } from '../sizes.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly, testOptions } from '../support/options.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'
import { displayedTexts, nextResponse, recordRequests, rowAt, textOf, trackRow } from './followed-page.ts'
import { ROWS_PER_SECOND, scenarios } from './followed-rows.ts'

const WRITER = join(import.meta.dirname, 'followed-rows.ts')
const CAMPAIGN = `${ROWS_PER_SECOND} rows per second for ${sizes.followed_page_seconds} s of another process`

const skip = WITHOUT_BROWSER || fullOnly('following.test.ts tests the same with single writes')

describe('a page during a run', { skip }, async () => {
  if (skip) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })

  test(`${CAMPAIGN} move nothing on a sorted and filtered page, which then equals the API`, async (t) => {
    const startCount = 400
    const query = { order: 'latency.asc', 'result.exact': 'is.true' } as const
    await assay.addEvaluation({ id: 'busy', name: 'Busy', status: 'running' })
    await assay.appendScenarios('busy', scenarios(0, startCount))
    const path = `/evaluations/busy?${new URLSearchParams(query)}`
    const { page, context, faults } = await openPage({ baseUrl, key, path })
    await rowAt(page, 1).waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 60 * 32 + 10))
    await page.evaluate(trackRow, await textOf(page, 61))
    const session = await context.newCDPSession(page)
    const heapMb = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
    }
    const requests = recordRequests(page)
    const args = [
      WRITER,
      `${baseUrl}/api`,
      key,
      'busy',
      String(startCount),
      String(sizes.followed_page_seconds),
    ]
    const writer = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const exit = once(writer, 'exit')
    const pill = page.locator('footer').getByRole('button', { name: /^\+|^Rows changed$/ })
    const heaps: number[] = []
    let clicks = 0
    while (writer.exitCode === null) {
      await nextResponse(page, '/api/evaluations/busy')
      if ((await pill.count()) === 0) continue
      await pill.click()
      clicks += 1
      heaps.push(await heapMb())
    }
    assert.deepEqual(await exit, [0, null])
    const { total } = await assay.listEvaluationRows('busy', { ...query, limit: 1 })
    assert.equal(total, (startCount + sizes.followed_page_seconds * ROWS_PER_SECOND) / 2)
    await page.getByRole('button', { name: `Pass ${formatCount(total)}`, exact: true }).waitFor()
    await nextResponse(page, '/api/evaluations/busy')
    while ((await pill.count()) > 0) {
      await pill.click()
      await nextResponse(page, '/api/evaluations/busy')
    }
    await page.getByText(new RegExp(`^Rows .* of ${formatCount(total)}\\b`)).waitFor()
    const { positions } = (await page.evaluate('tracked')) as { positions: number[] }
    assert.equal(positions.length, 1, `the first visible row was at ${positions.join(', ')}`)
    heaps.push(await heapMb())
    assert.deepEqual(await lastTexts(page), await expectedTexts(page, total))
    for (const [y, number] of [
      [0, 2],
      [1e6, total],
    ] as const) {
      await page.getByRole('grid').evaluate((grid, top) => grid.scrollTo(0, top), y)
      await textOf(page, number)
      assert.deepEqual(await lastTexts(page), await expectedTexts(page, total))
    }
    const [firstHeap = 0, lastHeap = 0] = [heaps[0], heaps.at(-1)]
    if (testOptions.measures)
      assert.ok(lastHeap - firstHeap < 5, `the heap grew from ${firstHeap} to ${lastHeap} MB`)
    assert.deepEqual(faults, [])
    t.diagnostic(
      `${total} rows, ${clicks} clicks, ${requests.length} requests, heap ${heaps.map((mb) => mb.toFixed(1)).join(', ')} MB`,
    )
  })

  /** Without the first row, which has the focus and is always rendered. */
  async function lastTexts(page: Page): Promise<[number, string][]> {
    return (await displayedTexts(page)).filter(([index]) => index > 0)
  }

  /** The texts of the rendered rows in the API's response. */
  async function expectedTexts(page: Page, total: number): Promise<[number, string][]> {
    const indexes = (await lastTexts(page)).map(([index]) => index)
    const offset = Math.min(...indexes)
    const { rows } = await assay.listEvaluationRows('busy', {
      order: 'latency.asc',
      'result.exact': 'is.true',
      offset,
      limit: Math.max(...indexes) - offset + 1,
    })
    assert.ok(Math.max(...indexes) < total)
    return indexes.map((index) => [index, String(rows[index - offset]?.inputs[0]?.value)])
  }
})
