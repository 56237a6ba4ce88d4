// In place of a page that is not part of what a shared link opens: what it does open, and the way there.
import { Link } from '@tanstack/react-router'
import styles from '../parts/parts.module.css'
import { useTitle } from '../parts/title.ts'
import { type ConfinedTo, useConfinement } from '../shell/confinement.ts'
import { openedWords } from './words.ts'

export function Elsewhere() {
  const confined = useConfinement()
  useTitle('Shared')
  if (confined === null) return null
  return (
    <main className={styles.failure}>
      <h1>Not part of this link</h1>
      <p>
        The link that you opened shows <Opened confined={confined} /> and nothing else.
      </p>
    </main>
  )
}

function Opened({ confined }: { confined: ConfinedTo }) {
  const { evaluation_id, comparison, variant_id } = confined
  const words = <bdi>{openedWords(confined)}</bdi>
  if (evaluation_id !== undefined)
    return (
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: evaluation_id }}>
        {words}
      </Link>
    )
  if (variant_id !== undefined)
    return (
      <Link to="/variants/$variantId" params={{ variantId: variant_id }}>
        {words}
      </Link>
    )
  return (
    <Link to="/compare" search={{ evaluation: comparison }}>
      {words}
    </Link>
  )
}
