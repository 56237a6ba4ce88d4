// Removing the sample data on the page.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { createSampleStore, createTestKey } from '../support/harness.ts'
import { openPage, servePage, WITHOUT_BROWSER } from './browser.ts'

describe('removal of the sample data', { skip: WITHOUT_BROWSER }, async () => {
  if (WITHOUT_BROWSER) return
  const store = await createSampleStore()
  const { baseUrl } = await servePage(store)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  const assay = new Assay({ baseUrl: `${baseUrl}/api`, key })

  test('deletes the sample evaluations and variants, but not a variant that another evaluation uses', async () => {
    await assay.addEvaluation({ id: 'own', name: 'My own', variant_id: 'ticket-triage', revision: 4 })
    const { page, faults } = await openPage({ baseUrl, key })
    await page.getByText('Sample data is loaded').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Remove sample data' }).click()
    await page.getByText('This deletes 10 evaluations and 2 variants').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('1 variant, 1 evaluation.').waitFor()
    await page.getByRole('row', { name: 'My own' }).waitFor()
    assert.equal(await page.getByText('Sample data is loaded').count(), 0)
    const { items } = await assay.listVariants()
    assert.deepEqual(
      items.map(({ id }) => id),
      ['ticket-triage'],
    )
    assert.deepEqual(faults, [])
  })
})
