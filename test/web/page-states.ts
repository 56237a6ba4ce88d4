// The pages and their states with the sample data, for tests and screenshots of all of them.
import type { Page } from 'playwright-core'
import type { TestKey } from '../support/harness.ts'

export interface PageState {
  name: string
  path: string
  /** A selector for what the page shows last. */
  lastElement: string
  /** Brings the page into this state, after the page has loaded. */
  act?: (page: Page) => Promise<unknown>
}

export const EVALUATION = '/evaluations/support-answer-r5'
export const VARIANT = '/variants/support-answer'
/** The first row of a table of rows. */
export const FIRST_ROW = '[role=row][aria-rowindex="2"]:not([aria-busy=true])'
const HEADING = 'role=heading[level=1]'

export function comparisonPath(...revisions: number[]): string {
  return `/compare?${revisions.map((revision) => `evaluation=support-answer-r${revision}`).join('&')}`
}

/** Every page of the service for keys of the project, without anything open. */
export const PAGES: PageState[] = [
  { name: 'home', path: '/', lastElement: 'role=link >> text=Support answer r5' },
  { name: 'evaluation', path: EVALUATION, lastElement: FIRST_ROW },
  { name: 'scenario', path: `${EVALUATION}/scenarios/returns-004`, lastElement: 'text=Brexit' },
  {
    name: 'agreement',
    path: '/evaluations/support-answer-r6/agreement',
    lastElement: 'role=rowheader >> code',
  },
  { name: 'comparison-start', path: '/compare', lastElement: HEADING },
  { name: 'comparison', path: comparisonPath(4, 5), lastElement: FIRST_ROW },
  { name: 'comparison-of-four', path: comparisonPath(3, 4, 5, 6), lastElement: FIRST_ROW },
  {
    name: 'leaderboard',
    path: '/leaderboard?variant_id=eq.support-answer',
    lastElement: 'role=region[name="Trade-off"] >> role=img',
  },
  { name: 'review', path: '/reviews/support-answers-october', lastElement: 'text=Made-up fact' },
  { name: 'variants', path: '/variants', lastElement: 'role=link >> text=Support answer' },
  { name: 'variant', path: VARIANT, lastElement: 'role=row >> text=r5' },
  { name: 'revision', path: `${VARIANT}/revisions/5`, lastElement: 'text=messages[0].content' },
  {
    name: 'revision-diff',
    path: `${VARIANT}/revisions/4/diff/5`,
    lastElement: 'text=messages[0].content',
  },
]

/** What the link of a reviewer opens. */
export const REVIEWER_PAGE: PageState = {
  name: 'reviewer',
  path: '/reviews/translated-replies',
  lastElement: 'role=form[name="Your answer"] >> role=button[name="Save and next"][disabled=false]',
}
export const REVIEWER_KEY: TestKey = {
  name: 'Beatriz',
  scopes: ['review'],
  confined_to: { review_id: 'translated-replies' },
}

const inPanel = (text: string) => `role=complementary >> text=${text}`

/** The same pages with a panel, a menu or a dialog, and pages that have nothing to show. */
export const OTHER_STATES: PageState[] = [
  { name: 'evaluation-row', path: `${EVALUATION}?row=returns-004`, lastElement: inPanel('Brexit') },
  {
    name: 'evaluation-filter',
    path: `${EVALUATION}?latency=gt.2&result.answer_correct=is.false`,
    lastElement: FIRST_ROW,
  },
  { name: 'evaluation-no-match', path: `${EVALUATION}?latency=gt.2000`, lastElement: 'text=No row' },
  { name: 'evaluation-errors', path: `${EVALUATION}?group=error`, lastElement: 'text=Show rows' },
  { name: 'evaluation-compact', path: `${EVALUATION}?density=compact`, lastElement: FIRST_ROW },
  { name: 'evaluation-not-found', path: '/evaluations/nothing', lastElement: HEADING },
  {
    name: 'comparison-row',
    path: `${comparisonPath(4, 5)}&show=all&row=returns-004`,
    lastElement: inPanel('Brexit'),
  },
  {
    name: 'comparison-of-three-row',
    path: `${comparisonPath(4, 5, 6)}&show=all&row=returns-004`,
    lastElement: inPanel('Brexit'),
  },
  {
    name: 'variant-selection',
    path: VARIANT,
    lastElement: 'role=row >> text=r5',
    act: async (page) => {
      for (const revision of ['r4', 'r5'])
        await page.getByRole('row', { name: revision }).first().getByRole('checkbox').first().check()
    },
  },
  {
    name: 'leaderboard-rows',
    path: '/leaderboard?variant_id=eq.support-answer&tab=rows',
    lastElement: FIRST_ROW,
  },
  { name: 'revision-diff-not-found', path: `${VARIANT}/revisions/x/diff/y`, lastElement: HEADING },
  {
    name: 'not-found',
    path: '/nowhere',
    lastElement: HEADING,
    act: (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor(),
  },
  {
    name: 'palette',
    path: '/variants',
    lastElement: 'role=link >> text=Support answer',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      for (const name of ['Evaluations', 'Variants']) await page.getByRole('group', { name }).waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/variants',
    lastElement: HEADING,
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'import-dialog',
    path: '/',
    lastElement: HEADING,
    act: async (page) => {
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'share-menu',
    path: `${EVALUATION}?latency=gt.2000`,
    lastElement: 'text=No row',
    act: async (page) => {
      await page.getByRole('button', { name: 'Share', exact: true }).first().click()
      await page.locator(':popover-open').first().waitFor()
    },
  },
  {
    name: 'more-menu',
    path: EVALUATION,
    lastElement: FIRST_ROW,
    act: (page) => page.getByRole('button', { name: /^More/ }).first().click(),
  },
]
