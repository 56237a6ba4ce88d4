// Every page and its address: path is what it is about, query is how it is looked at.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import { EvaluationPage } from './evaluation/page.tsx'
import { EvaluationsPage } from './evaluations/page.tsx'
import { Failure } from './parts/failure.tsx'
import { NotFound } from './parts/not-found.tsx'
import { Waiting } from './parts/waiting.tsx'
import { loadDetailPages } from './read-ahead.ts'
import { parseSearch, type Search, stringifySearch } from './search.ts'
import { Shell } from './shell/shell.tsx'

/** Any words may stand in a query: pages name those they do not know. */
const validateSearch = (search: Search & SearchSchemaInput): Search => search

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
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
  component: lazyRouteComponent(loadDetailPages, 'ScenarioPage'),
})
const comparisonRoute = createRoute({
  ...page('/compare'),
  component: lazyRouteComponent(loadDetailPages, 'ComparisonPage'),
})
const variantsRoute = createRoute({
  ...page('/variants'),
  component: lazyRouteComponent(loadDetailPages, 'VariantsPage'),
})
const variantRoute = createRoute({
  ...page('/variants/$variantId'),
  component: lazyRouteComponent(loadDetailPages, 'VariantPage'),
})
const revisionRoute = createRoute({
  ...page('/variants/$variantId/revisions/$revision'),
  component: lazyRouteComponent(loadDetailPages, 'RevisionPage'),
})
const revisionDiffRoute = createRoute({
  ...page('/variants/$variantId/revisions/$from/diff/$to'),
  component: lazyRouteComponent(loadDetailPages, 'RevisionDiffPage'),
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
  defaultErrorComponent: Failure,
  defaultPendingComponent: Waiting,
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
