// Links to the reviews of an evaluation, and to the comparison of a judge with people.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import type { ReactNode } from 'react'
import { pluralize } from '../../../format/numbers.ts'
import { reviewsQuery } from '../../../queries/reviews.ts'
import { Menu, MenuItems, menuItemClass } from '../../../ui/menus/menu.tsx'
import header from '../header/header.module.css'
import { useCanHaveReviews } from './can-have-reviews.ts'

export function ReviewLinks({ evaluation }: { evaluation: Evaluation }) {
  const { id, evaluators } = evaluation
  const enabled = useCanHaveReviews(evaluation)
  const { data: reviews = [] } = useQuery({ ...reviewsQuery(id), enabled })
  const links = reviews.map((review) => (
    <Link
      key={review.id}
      to="/reviews/$reviewId"
      params={{ reviewId: review.id }}
      className={reviews.length > 1 ? menuItemClass : undefined}
    >
      <bdi>Review{review.name !== null && `: ${review.name}`}</bdi>
    </Link>
  ))
  const hasPeople = evaluators?.some(({ kind }) => kind === 'human')
  const judge = evaluators?.find(({ kind }) => kind === 'model')?.name
  return (
    <>
      {hasPeople && judge !== undefined && (
        <Link to="/evaluations/$evaluationId/agreement" params={{ evaluationId: id }}>
          Can I trust <bdi>{judge}</bdi>?
        </Link>
      )}
      <Reviews links={links} />
    </>
  )
}

function Reviews({ links }: { links: ReactNode[] }) {
  if (links.length < 2) return links
  return (
    <Menu label={pluralize(links.length, 'review')} variant="plain" size="small" className={header.baseline}>
      <MenuItems>{links}</MenuItems>
    </Menu>
  )
}
