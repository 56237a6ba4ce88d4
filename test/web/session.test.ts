// Signing in and out, keys that end, and a server that goes away: what every page has around it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { revokeKey } from '../../src/store/keys.ts'
import { freshStore, mint } from '../harness.ts'
import { ask } from '../wire.ts'
import { assertSound, openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

describe('the session', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await freshStore()
  const { base, port, stop } = await servePage(store)
  const { key } = await mint(store)

  test('without a key every page is the sign-in view, and a good key shows the page at the same address', async () => {
    const opened = await openPage({ base, path: '/variants?name=x' })
    const { page } = opened
    await page.getByRole('heading', { name: 'Sign in to Assay' }).waitFor()
    await assertSound(opened)
    await page.getByLabel('API key').fill('assay_wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill(`  ${key} `)
    await page.keyboard.press('Enter')
    await page.getByText('There is no variant yet.').waitFor()
    assert.equal(page.url(), `${base}/variants?name=x`)
  })

  test('a key in the fragment signs in and leaves the address at once; signing out forgets it', async () => {
    const opened = await openPage({ base, key, path: '/variants' })
    const { page } = opened
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    assert.equal(page.url(), `${base}/variants`)
    assert.ok(!addresses.some((address) => address.includes(key)))
    await page.reload()
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('Project default').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Assay' }).waitFor()
    assert.deepEqual(opened.faults, [])
  })

  test('a link with another key shows nothing of what the one before has read', async () => {
    const [mine, theirs] = await Promise.all(
      ['default', 'other'].map((project) => mint(store, { project, scopes: ['read', 'write'] })),
    )
    assert.ok(mine && theirs)
    for (const [id, { key }] of Object.entries({ mine, theirs })) {
      const fields = { authorization: key, 'content-type': 'application/json' }
      await ask(base, '/api/variants', fields, 'POST', JSON.stringify({ id }))
    }
    const { page, faults } = await openPage({ base, key: mine.key, path: '/variants' })
    await page.getByRole('link', { name: 'mine' }).waitFor()
    await page.evaluate((next) => {
      location.hash = `key=${next}`
    }, theirs.key)
    await page.getByRole('link', { name: 'theirs' }).waitFor()
    assert.equal(await page.getByText('mine').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a key that was revoked meanwhile ends the session at the next question', async () => {
    const { key, public_id } = await mint(store)
    const { page } = await openPage({ base, key, path: '/variants' })
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    await store.writer.transaction((transaction) => revokeKey(transaction, public_id))
    await page.getByRole('link', { name: 'Evaluations' }).click()
    await page.getByText('The key was refused').waitFor()
    assert.equal(page.url(), `${base}/`)
  })

  test('the server dies and comes back: the page stays, the banner comes and goes', async () => {
    const opened = await openPage({ base, key, path: '/variants' })
    const { page } = opened
    await page.getByRole('link', { name: 'Evaluations' }).waitFor()
    await stop()
    await page.getByRole('link', { name: 'Evaluations' }).click()
    const banner = page.getByText('The server cannot be reached')
    await banner.waitFor()
    await servePage(store, { port })
    await page.getByRole('button', { name: 'Retry now' }).click()
    await banner.waitFor({ state: 'detached' })
    assert.deepEqual(opened.faults, [])
  })
})
