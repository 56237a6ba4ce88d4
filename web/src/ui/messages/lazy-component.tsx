// A component of a lazy module, and what is in its place if the module cannot be loaded.
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createElement, type ReactNode, use } from 'react'
import { isUnreachable, queryClient } from '../../api/client.ts'
import { type Loader, lazyModule, reloadOnce } from '../../api/lazy-modules.ts'
import { Button } from '../button.tsx'

type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload?: Loader<void> }

let createdCount = 0

/**
 * Render it in a Suspense boundary. The router awaits its `preload` before it renders a page. A module that fails to load is
 * a failing query, so the banner reports an unavailable server and retries.
 */
export function lazyComponent<Props extends object>(
  load: Loader<ComponentType<Props>>,
  Failure: ComponentType<{ error: unknown }> = FailedPart,
): LazyComponent<Props> {
  const loader = lazyModule(load)
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  createdCount += 1
  const moduleQuery = {
    queryKey: ['module', createdCount],
    async queryFn() {
      component = await loader()
      // Without `preload` the router renders the page at once.
      delete Lazy.preload
      return true
    },
    retry: false,
    retryOnMount: false,
  }
  const preload = () => {
    loading ??= queryClient.prefetchQuery(moduleQuery).finally(() => {
      loading = undefined
    })
    return loading
  }
  const Lazy: LazyComponent<Props> = (props) => {
    const { error } = useQuery({ ...moduleQuery, enabled: component === undefined })
    if (!component && !error) use(preload())
    if (component) return createElement(component, props)
    if (!isUnreachable(error) && reloadOnce()) return null
    return createElement(Failure, { error })
  }
  Lazy.preload = preload
  return Lazy
}

/** A notice in place of the component. */
export function FailedPart({ error }: { error: unknown }) {
  return (
    <p role="alert" className="notice">
      {isUnreachable(error) ? (
        'The server cannot be reached. This part appears as soon as it responds.'
      ) : (
        <>
          This part of the page could not be loaded.{' '}
          <Button size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        </>
      )}
    </p>
  )
}
