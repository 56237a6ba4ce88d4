// Breadcrumb of the revision pages: all variants, then the variant.
import { Link } from '@tanstack/react-router'
import { ListCrumb } from '../navigation/links.tsx'

export function Breadcrumb({ id, name }: { id: string; name: string | null | undefined }) {
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
