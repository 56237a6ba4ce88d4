// The filter of variants or revisions, in the search param `q`.
import { useChangeSearchParams } from '../state/search-params.ts'
import { SearchField } from '../ui/search-field.tsx'
import styles from './header.module.css'

export function FilterField({ text, label }: { text: string; label: string }) {
  const changeParams = useChangeSearchParams<'/variants' | '/variants/$variantId'>()
  return (
    <SearchField
      text={text}
      onText={(q) => changeParams({ q: q === '' ? undefined : q }, { replace: true })}
      label={label}
      placeholder={label}
      className={styles.filter}
    />
  )
}
