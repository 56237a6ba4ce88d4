// The routes. The path names the resource, the search params how it is displayed.
import { createRootRoute, createRoute, createRouter, type SearchSchemaInput } from '@tanstack/react-router'
import { lazyComponent } from './api/lazy-modules.ts'
import { Shell } from './app/shell.tsx'
import { ErrorPage, NotFoundPage } from './errors/error-page.tsx'
import { EvaluationPage } from './pages/evaluation/page.tsx'
import { EvaluationsPage } from './pages/evaluations/page.tsx'
import { parseSearch, type SearchParams, stringifySearch } from './state/search-params.ts'
import { Loading } from './ui/loading.tsx'

/** Accepts any search params. Pages list the ones they ignore. */
const validateSearch = (search: SearchParams & SearchSchemaInput): SearchParams => search

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })
const page = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path, validateSearch })

const evaluationsRoute = createRoute({
  ...page('/'),
  component: EvaluationsPage,
})
const evaluationRoute = createRoute({
  ...page('/evaluations/$evaluationId'),
  component: EvaluationPage,
})
const scenarioRoute = createRoute({
  ...page('/evaluations/$evaluationId/scenarios/$scenarioId'),
  component: lazyComponent(
    () => import('./pages/scenario/page.tsx'),
    (module) => module.ScenarioPage,
  ),
})
const comparisonRoute = createRoute({
  ...page('/compare'),
  component: lazyComponent(
    () => import('./pages/comparison/page.tsx'),
    (module) => module.ComparisonPage,
  ),
})
const variantsRoute = createRoute({
  ...page('/variants'),
  component: lazyComponent(
    () => import('./pages/variants/page.tsx'),
    (module) => module.VariantsPage,
  ),
})
const variantRoute = createRoute({
  ...page('/variants/$variantId'),
  component: lazyComponent(
    () => import('./pages/variant/page.tsx'),
    (module) => module.VariantPage,
  ),
})
const revisionRoute = createRoute({
  ...page('/variants/$variantId/revisions/$revision'),
  component: lazyComponent(
    () => import('./pages/revision/page.tsx'),
    (module) => module.RevisionPage,
  ),
})
const revisionDiffRoute = createRoute({
  ...page('/variants/$variantId/revisions/$from/diff/$to'),
  component: lazyComponent(
    () => import('./pages/revision-diff/page.tsx'),
    (module) => module.RevisionDiffPage,
  ),
})

export const router = createRouter({
  routeTree: root.addChildren([
    evaluationsRoute,
    evaluationRoute,
    scenarioRoute,
    comparisonRoute,
    variantsRoute,
    variantRoute,
    revisionRoute,
    revisionDiffRoute,
  ]),
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
