// The way from a revision to its variant, and from there to all.
import { Link } from '@tanstack/react-router'
import { ListCrumb } from '../parts/list-crumb.tsx'

export function Crumb({ id, name }: { id: string; name: string | null | undefined }) {
  return (
    <nav aria-label="Breadcrumb">
      <ListCrumb to="/variants" />
      <Link to="/variants/$variantId" params={{ variantId: id }}>
        <bdi>{name ?? id}</bdi>
      </Link>{' '}
      <span aria-hidden="true">/</span>
    </nav>
  )
}
