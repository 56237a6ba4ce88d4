// The routes. The path names the resource, the search params how it is displayed.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Shell } from './app/shell.tsx'
import { ErrorPage, FailedPage, NotFoundPage } from './errors/error-page.tsx'
import { evaluationSearch } from './evaluation-state/search-params.ts'
import { agreementSearch } from './pages/agreement/search-params.ts'
import { comparisonSearch } from './pages/comparison/search-params.ts'
import { evaluationsSearch } from './pages/evaluations/search-params.ts'
import { leaderboardSearch } from './pages/leaderboard/search-params.ts'
import { reviewSearch } from './pages/review/search-params.ts'
import { BASE_PATH } from './state/base-path.ts'
import { oneOf, parseSearch, searchOf, stringifySearch, text } from './state/search-params.ts'
import { lazyComponent } from './ui/messages/lazy-component.tsx'
import { Loading } from './ui/messages/loading.tsx'

/** Search params of the revision diff. */
const revisionDiffSearch = searchOf({
  all: oneOf(['true', 'false']),
  space: oneOf(['ignored', 'kept']),
  diff: oneOf(['split', 'unified']),
  wrap: oneOf(['on', 'off']),
})

/** The search params of the variant page: the filter, and the metric of the plot. */
const variantSearch = searchOf({
  q: text,
  /** The evaluator whose scores are plotted, or another metric. */
  on: text,
  figure: oneOf(['latency', 'cost']),
})

const lazyPage = (load: () => Promise<ComponentType>) => lazyComponent(load, FailedPage)

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })
const page = <Path extends string, Validate>(path: Path, validateSearch: Validate) => ({
  getParentRoute: () => root,
  path,
  validateSearch,
})

const evaluationsRoute = createRoute({
  ...page('/', evaluationsSearch),
  component: lazyPage(async () => (await import('./pages/evaluations/page.tsx')).EvaluationsPage),
})
const evaluationRoute = createRoute({
  ...page('/evaluations/$evaluationId', evaluationSearch),
  component: lazyPage(async () => (await import('./pages/evaluation/page.tsx')).EvaluationPage),
})
const scenarioRoute = createRoute({
  ...page('/evaluations/$evaluationId/scenarios/$scenarioId', evaluationSearch),
  component: lazyPage(async () => (await import('./pages/scenario/page.tsx')).ScenarioPage),
})
const agreementRoute = createRoute({
  ...page('/evaluations/$evaluationId/agreement', agreementSearch),
  component: lazyPage(async () => (await import('./pages/agreement/page.tsx')).AgreementPage),
})
const ComparisonPage = lazyPage(async () => (await import('./pages/comparison/page.tsx')).ComparisonPage)
const ComparisonStartPage = lazyPage(
  async () => (await import('./pages/comparison-start/page.tsx')).ComparisonStartPage,
)
const comparisonRoute = createRoute({
  ...page('/compare', comparisonSearch),
  loaderDeps: ({ search }) => ({ isStart: new Set(search.evaluation).size < 2 }),
  // The router awaits the `preload` of a component, but here the component depends on the search params.
  loader: ({ deps }) => (deps.isStart ? ComparisonStartPage : ComparisonPage).preload?.(),
  staleTime: Number.POSITIVE_INFINITY,
  component: () => (comparisonRoute.useLoaderDeps().isStart ? <ComparisonStartPage /> : <ComparisonPage />),
})
const leaderboardRoute = createRoute({
  ...page('/leaderboard', leaderboardSearch),
  component: lazyComponent(async () => (await import('./pages/leaderboard/page.tsx')).LeaderboardPage),
})
const reviewRoute = createRoute({
  ...page('/reviews/$reviewId', reviewSearch),
  component: lazyPage(async () => (await import('./pages/review/page.tsx')).ReviewPage),
})
const variantsRoute = createRoute({
  ...page('/variants', searchOf({ q: text })),
  component: lazyPage(async () => (await import('./pages/variants/page.tsx')).VariantsPage),
})
const variantRoute = createRoute({
  ...page('/variants/$variantId', variantSearch),
  component: lazyPage(async () => (await import('./pages/variant/page.tsx')).VariantPage),
})
const revisionRoute = createRoute({
  getParentRoute: () => root,
  path: '/variants/$variantId/revisions/$revision',
  component: lazyPage(async () => (await import('./pages/revision/page.tsx')).RevisionPage),
})
const revisionDiffRoute = createRoute({
  ...page('/variants/$variantId/revisions/$from/diff/$to', revisionDiffSearch),
  component: lazyPage(async () => (await import('./pages/revision-diff/page.tsx')).RevisionDiffPage),
})

export const router = createRouter({
  routeTree: root.addChildren([
    evaluationsRoute,
    evaluationRoute,
    scenarioRoute,
    agreementRoute,
    comparisonRoute,
    leaderboardRoute,
    reviewRoute,
    variantsRoute,
    variantRoute,
    revisionRoute,
    revisionDiffRoute,
  ]),
  basepath: BASE_PATH || '/',
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
