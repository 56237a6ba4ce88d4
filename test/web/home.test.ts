// The first page of a project with many variants: the order, what fits on the screen, and what belongs together.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { Assay } from '../../client/client.ts'
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import { createEvaluation } from '../../src/store/evaluations/evaluations.ts'
import { createTestKey, createTestStore } from '../support/harness.ts'
import { fullOnly } from '../support/options.ts'
import { assertNoViolations, openPage, SIZE, servePage, visit, WITHOUT_BROWSER } from './browser.ts'
import { addBusyProject, COMPARED, REGRESSED, RUNNING, SINGLE, UNRELATED } from './busy-project.ts'

const MAX_FIRST_ROW_Y = 560

describe('the first page with 14 variants', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createTestStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await addBusyProject(new Assay({ baseUrl: `${baseUrl}/api`, key }))
  const openedPage = await openPage({ baseUrl, key })
  const { page } = openedPage
  const box = (name: string) => page.getByRole('region', { name, exact: true })
  const [attention, compared, single] = [box('Needs attention'), box('Better or tied'), box('One evaluation')]
  const firstRow = page.locator('[role=grid] tbody tr[aria-rowindex="2"]').first()
  await firstRow.waitFor()

  test('running evaluations come first, then regressions, then better and tied ones, then single runs', async () => {
    const regions = [box('Running evaluations'), attention, compared, single]
    const positions = await Promise.all(regions.map(topOf))
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    )
    await box('Running evaluations').getByText(RUNNING).waitFor()
    // The regression with the most rows comes first.
    assert.deepEqual(
      await attention.getByRole('article').evaluateAll((cards) => cards.map((card) => card.ariaLabel)),
      ['agent-refunds', 'rag-faq', 'reply-translator'],
    )
    await attention.getByText('3 variants whose latest evaluation is worse than its baseline').waitFor()
    assert.deepEqual(
      await compared.getByRole('listitem').evaluateAll((items) => items.map((item) => item.ariaLabel)),
      ['support-answer', 'product-search', 'summarize-calls', 'intent-router'],
    )
    const titles = await page.getByRole('grid').evaluateAll((grids) => grids.map((grid) => grid.ariaLabel))
    assert.deepEqual(titles.slice(0, 4), ['agent-refunds', 'rag-faq', 'reply-translator', 'support-answer'])
    assert.equal(titles.at(-1), 'No source')
  })

  test(`the first row of the table starts at y ≤ ${MAX_FIRST_ROW_Y}`, async () => {
    const y = await topOf(firstRow)
    assert.ok(y <= MAX_FIRST_ROW_Y, `the first row starts at ${y}`)
  })

  test('a card names the evaluator that regressed most, also if it is the 31st of 40, and links to its rows', async () => {
    const card = attention.getByRole('article', { name: 'rag-faq' })
    const text = (await card.textContent()) ?? ''
    assert.match(text, /r3 is worse than r2 on retrieval_of_supporting_passages_40: 13 rows regressed\./)
    assert.match(text, /25\.0−65\.0worse.*vs r2/)
    await card.getByRole('link', { name: '13 rows regressed' }).click()
    await page.waitForURL((url) => url.pathname === '/compare')
    assert.equal(
      new URL(page.url()).search,
      '?evaluation=rag-faq-r2&evaluation=rag-faq-r3&on=retrieval_of_supporting_passages_40',
    )
    await visit(page, '/')
    await firstRow.waitFor()
  })

  test('cards have the same height, and every change names its baseline', async () => {
    const cards = await attention.getByRole('article').all()
    const heights = await Promise.all(cards.map(async (card) => (await card.boundingBox())?.height))
    assert.equal(new Set(heights).size, 1, heights.join(', '))
    for (const [id, runs] of REGRESSED.map(({ id, evaluators }) => [id, runCount(evaluators)] as const)) {
      await attention
        .getByRole('article', { name: id })
        .getByText(`vs r${runs - 1}`, { exact: true })
        .waitFor()
    }
    const lines = await compared.getByRole('listitem').allTextContents()
    assert.match(lines[0] ?? '', /^support-answer r4better than r3answer_correct.*95\.0\+55\.0/)
    assert.match(lines[3] ?? '', /^intent-router r5tied with r4accuracy/)
    const row = page.getByRole('row', { name: 'agent-refunds run 5' })
    await row.getByText('vs r4', { exact: true }).waitFor()
  })

  test('variants with one run are in a compact list, and nothing joins evaluations without a variant', async () => {
    await single.getByRole('button', { name: 'Show 2 more' }).click()
    const items = single.getByRole('listitem')
    assert.deepEqual(
      (await items.evaluateAll((all) => all.map((item) => item.ariaLabel))).sort(),
      [...SINGLE.map(({ id }) => id), ...UNRELATED].sort(),
    )
    assert.match((await items.filter({ hasText: 'Chess openings' }).textContent()) ?? '', /exact60\.0 %/)
    await single.getByRole('button', { name: 'Show fewer' }).click()
    // A line of values has points of one variant only.
    const lines = await page.getByRole('group', { name: / of each evaluation$/ }).all()
    assert.equal(lines.length, REGRESSED.length + COMPARED.length)
    for (const line of lines) {
      const targets = await line
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/-r\d+$/, '')))
      assert.ok(targets.length > 1)
      assert.equal(new Set(targets).size, 1, targets.join(', '))
    }
  })

  test('a section shows the newest two evaluations of its variant, and links to all of them', async () => {
    const section = page.getByRole('grid', { name: 'agent-refunds' })
    assert.equal(await section.getByRole('rowheader').count(), 2)
    await section.getByRole('link', { name: '2 of 5 shown' }).click()
    await page.waitForURL((url) => url.search === '?variant_id=eq.agent-refunds')
    await page.getByText('5 match').waitFor()
    assert.equal(await section.getByRole('rowheader').count(), 5)
    await visit(page, '/')
    await section.getByRole('link', { name: '2 of 5 shown' }).waitFor()
  })

  test('names of evaluators keep their spaces', async () => {
    for (const [region, name] of [
      [attention, 'Answer Relevancy'],
      [compared, 'Tool called. passed'],
    ] as const) {
      const words = name.split(' ')
      const element = region.locator(`[data-tooltip="${name} %"]`)
      const positions = await Promise.all(words.map((word) => element.evaluate(positionOf, word)))
      for (const [index, { left }] of positions.slice(1).entries()) {
        const space = left - (positions[index]?.right ?? left)
        assert.ok(space > 2, `${space} px before ${words[index + 1]}`)
      }
    }
  })

  test('headers break only where a name does not fit into the free space', async () => {
    const section = page.getByRole('grid', { name: 'support-answer' })
    for (const name of ['answer_correct', 'cites_policy']) {
      const title = section.getByRole('columnheader', { name }).getByRole('button').locator('span').first()
      const height = (await title.boundingBox())?.height ?? 0
      assert.ok(height < 20, `${name} takes ${height} px`)
    }
  })

  test('a section with 40 evaluators shows the one that regressed, with the end of its name', async () => {
    const header = page
      .getByRole('grid', { name: 'rag-faq' })
      .getByRole('columnheader', { name: 'retrieval_of_supporting_passages_40' })
    assert.ok((await header.evaluate(positionOf, '40')).isVisible)
    const row = page.getByRole('row', { name: 'rag-faq run 3' })
    assert.match((await row.textContent()) ?? '', /25\.0−65\.0worse/)
  })

  test('the list of variants has the score, change and trend of each variant, and its last run', async () => {
    await visit(page, '/variants')
    const variantRow = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
    await variantRow('agent-refunds').getByText('vs r4').waitFor()
    const text = (await variantRow('agent-refunds').textContent()) ?? ''
    assert.match(text, /task_success %10\.0−80\.0worse vs r4r5 .*5r5/)
    assert.match(
      (await variantRow('support-answer').textContent()) ?? '',
      /95\.0\+55\.0better vs r3r5 running5r5/,
    )
    assert.match((await variantRow('mmlu-pro').textContent()) ?? '', /pass %50\.0r1 /)
    const points = variantRow('product-search').getByRole('group', {
      name: 'Tool called. passed of each evaluation',
    })
    assert.equal(await points.getByRole('link').count(), 3)
    await assertNoViolations(openedPage)
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.setViewportSize(SIZE)
    await visit(page, '/')
    await firstRow.waitFor()
  })

  test('the page is accessible, and a narrow one has lists that open', async () => {
    await assertNoViolations(openedPage)
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await compared.getByRole('listitem').count(), 0)
    await compared.getByText('2 better, 2 tied').waitFor()
    await compared.getByRole('button', { name: 'Show 4' }).click()
    await compared.getByRole('listitem', { name: 'intent-router' }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await page.setViewportSize(SIZE)
  })

  test('a card opens the breakdown of its regression', async () => {
    const card = attention.getByRole('article', { name: 'reply-translator' })
    await card.getByRole('link', { name: 'Break down' }).click()
    await page.waitForURL(
      (url) =>
        url.searchParams.get('on') === 'Answer Relevancy' && url.searchParams.get('breakdown') === 'best',
    )
    await page.getByRole('region', { name: 'Breakdown' }).waitFor()
  })

  for (const [content, evaluations, evaluator] of [
    ['40 evaluators', 'evaluation=rag-faq-r2&evaluation=rag-faq-r3', 'retrieval_of_supporting_passages_40'],
    ['long names', 'evaluation=invoices-of-march&evaluation=chess-openings', 'exact'],
  ]) {
    test(`statistics and breakdown fit side by side with ${content}`, async () => {
      await visit(page, `/compare?${evaluations}&on=${evaluator}&breakdown=input.question`)
      const regions = [
        page.getByRole('region', { name: 'Statistics over matched rows' }),
        page.getByRole('region', { name: 'Breakdown' }),
      ]
      for (const region of regions) {
        const table = region.getByRole('table')
        await table.waitFor()
        const cut = await table.evaluate(
          (element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0),
        )
        assert.ok(cut <= 0, `${cut} px of ${await region.getAttribute('aria-label')} are cut`)
      }
      const [left, right] = await Promise.all(regions.map((region) => region.boundingBox()))
      assert.equal(left?.y, right?.y)
    })
  }

  test('statistics keep the spaces in names of evaluators', async () => {
    await visit(page, '/compare?evaluation=reply-translator-r1&evaluation=reply-translator-r2')
    const name = page.getByRole('rowheader').filter({ hasText: 'Answer Relevancy' }).first()
    await name.waitFor()
    const [first, second] = [
      await name.evaluate(positionOf, 'Answer'),
      await name.evaluate(positionOf, 'Relevancy'),
    ]
    assert.ok(second.left > first.right + 1, `${second.left} after ${first.right}`)
  })

  test('a variant has its score also if another one has many newer runs', {
    skip: fullOnly('adds 300 evaluations'),
  }, async () => {
    await store.writer.transaction(async (transaction) => {
      const project = await ensureProject(transaction, 'default')
      for (let run = 0; run < 300; run++) {
        const id = `mmlu-pro-${run}`
        await createEvaluation(transaction, project, parsedValue({ id, variant_id: 'mmlu-pro' }))
      }
    })
    const other = await openPage({ baseUrl, key, path: '/variants' })
    await other.page
      .getByRole('row', { name: /^agent-refunds / })
      .getByText('vs r4')
      .waitFor()
  })
})

async function topOf(locator: Locator): Promise<number> {
  const { y } = (await locator.first().boundingBox()) ?? assert.fail('not visible')
  return y
}

function runCount(evaluators: Record<string, readonly number[]>): number {
  return Object.values(evaluators)[0]?.length ?? 0
}

/** Where a word of an element is, which can be any of its texts. */
function positionOf(element: Element, word: string): { left: number; right: number; isVisible: boolean } {
  const box = element.getBoundingClientRect()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const start = text.textContent?.indexOf(word) ?? -1
    if (start < 0) continue
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + word.length)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    const isInside = left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom
    return { left, right, isVisible: right > left && isInside }
  }
  throw new Error(`no ${word} in ${element.textContent}`)
}
