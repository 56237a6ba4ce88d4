// The typed search params of all pages: what the router reads from a URL and writes to it, and what does not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluationSearch } from '../../web/src/evaluation-state/search-params.ts'
import { comparisonSearch, readComparisonParams } from '../../web/src/pages/comparison/search-params.ts'
import type { router } from '../../web/src/router.tsx'
import { type PageSearch, parseSearch, stringifySearch } from '../../web/src/state/search-params.ts'

const URLS = [
  '?q=a%26b&result.exact%20match=is.false&error.judge=eq.x&output=2&row=s/1',
  // Unknown, invalid and repeated params stay where they are.
  '?foo=1&density=huge&order=cost.desc&latency=gt.1&latency=lt.2&output=0',
  '?view=json&ignored=a&ignored=b',
]

/** As the router merges the result with the params of the URL. */
const merge = (url: string) => {
  const params = parseSearch(url)
  return { ...params, ...evaluationSearch(params as never) }
}

for (const url of URLS) {
  test(`reading ${url} does not change the URL, and reading the result again changes nothing`, () => {
    const search = merge(url)
    assert.equal(stringifySearch(search), url)
    assert.deepEqual({ ...search, ...evaluationSearch(search as never) }, search)
  })
}

test('only valid values are read, with their types', () => {
  const { q, density, output, view, ...others } = evaluationSearch(
    parseSearch('?q=a&density=tall&output=2&view=nothing&__proto__=x&toString=y') as never,
  )
  assert.deepEqual({ q, density, output, view }, { q: 'a', density: 'tall', output: 2, view: undefined })
  assert.deepEqual(Object.keys(others.ignored ?? {}), ['view', '__proto__', 'toString'])
})

test('a valid value replaces an invalid one in the URL', () => {
  assert.equal(stringifySearch({ ...merge('?density=huge&foo=1'), density: 'tall' }), '?density=tall&foo=1')
})

test('a comparison has at most four different evaluations, and a pair that exists', () => {
  const read = (url: string) => readComparisonParams(comparisonSearch(parseSearch(url) as never))
  assert.deepEqual(read('?evaluation=a').evaluations, ['a'])
  const params = read(
    '?evaluation=a&evaluation=b&evaluation=a&evaluation=c&evaluation=d&evaluation=e&pair=3&show=all&row=x',
  )
  assert.deepEqual(params.evaluations, ['a', 'b', 'c', 'd'])
  assert.deepEqual(params.ignored, ['a duplicate evaluation', 'evaluation=e (at most 4)'])
  assert.deepEqual([params.pair, params.show, params.row], [3, 'all', { id: 'x', side: 'base' }])
  const pair = read('?evaluation=a&evaluation=b&pair=3')
  assert.deepEqual([pair.pair, pair.ignored], [1, ['pair=3']])
  assert.equal(read('?evaluation=a&evaluation=b&evaluation=c&pair=all').pair, 'all')
  const all = read('?evaluation=a&evaluation=b&pair=all')
  assert.deepEqual([all.pair, all.ignored], [1, ['pair=all']])
})

/** Checked by the compiler: every link and navigation uses these types. */
export function wrongParams(navigate: (typeof router)['navigate']): void {
  void navigate({ to: '/compare', search: { evaluation: ['a', 'b'], 'result.exact': 'is.false' } })
  // @ts-expect-error a wrong name
  void navigate({ to: '/compare', search: { evaluations: ['a', 'b'] } })
  // @ts-expect-error a wrong type
  void navigate({ to: '/compare', search: { evaluation: 'a' } })
  // @ts-expect-error a value that does not exist
  void navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: 'a' }, search: { view: 'x' } })
  // @ts-expect-error a param of another page
  const search: PageSearch<'/variants'> = { on: 'exact' }
  assert.ok(search)
}
