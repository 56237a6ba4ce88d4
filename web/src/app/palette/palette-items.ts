// What the palette lists: actions of the page with their keys, and evaluations, variants and revisions that the server finds.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Variant } from 'assay-client'
import { FlaskConical, GitCommitHorizontal, GitCompareArrows, Layers, SquareChevronRight } from 'lucide'
import { assay } from '../../api/client.ts'
import { type Restriction, useRestriction } from '../../api/restriction.ts'
import { type Layer, listShortcuts, PALETTE_KEY } from '../../state/shortcuts.ts'
import type { IconType } from '../../ui/icon.tsx'

export interface PaletteItem {
  id: string
  label: string
  /** What distinguishes items with equal labels. */
  detail?: string | undefined
  icon: IconType
  keys?: string[]
  run: () => void
}

interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** Items per group that the server finds. */
const MAX_FOUND = 6
/** How many variants are searched for a revision without a name. */
const MAX_SEARCHED = 100
/** Items per group before anything is typed. */
const MAX_NEWEST = { evaluations: 5, variants: 3 }
/** Only in the help: moving row by row needs the key itself. */
const MOVEMENT_KEYS = new Set(['j', 'k', 'PageDown', 'PageUp', 'Home', 'End'])
const LAYER_TITLES: Record<Layer, string> = { panel: 'Row', page: 'This page', shell: 'Everywhere' }

/**
 * The newest evaluations and variants, then the actions. With a text, the actions come first, because they are known at
 * once: what the server finds later does not move them.
 */
export function usePaletteGroups(text: string, searchText: string) {
  const found = useFoundItems(text === '' ? '' : searchText)
  const words = text.toLowerCase().split(/\s+/)
  const actions = actionItems().filter(({ item: { label } }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  )
  const actionGroups = (Object.keys(LAYER_TITLES) as Layer[]).map((layer) => ({
    title: LAYER_TITLES[layer],
    items: actions.filter((action) => action.layer === layer).map(({ item }) => item),
  }))
  const groups: PaletteGroup[] =
    text === '' ? [...found.groups, ...actionGroups] : [...actionGroups, ...found.groups]
  // The pause in typing has not ended yet, so what was loaded is not for this text.
  if (text !== '' && searchText === '') return { groups: withItems(actionGroups), status: 'Searching…' }
  // Actions that appear before the newest evaluations would move when those arrive.
  if (text === '' && found.isLoading) return { groups: [], status: 'Loading…' }
  return { groups: withItems(groups), status: found.status }
}

function withItems(groups: PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ items }) => items.length > 0)
}

function actionItems(): { layer: Layer; item: PaletteItem }[] {
  return listShortcuts().flatMap(({ layer, label, keys, run }) =>
    run && !keys.includes(PALETTE_KEY) && !keys.some((key) => MOVEMENT_KEYS.has(key))
      ? {
          layer,
          item: { id: `${layer} ${label}`, label, icon: SquareChevronRight, keys, run },
        }
      : [],
  )
}

interface FoundItems {
  groups: PaletteGroup[]
  status: string
  isLoading?: boolean
}

/** Without a text, the newest evaluations and variants. */
function useFoundItems(searchText: string): FoundItems {
  const restriction = useRestriction()
  const links = useLinks()
  const { name, revision } = parseRevision(searchText)
  // A share link cannot read lists.
  const enabled = restriction === null
  const evaluations = useQuery({
    queryKey: ['palette', 'evaluations', searchText],
    queryFn: ({ signal }) => assay.listEvaluations(listQuery(searchText, MAX_NEWEST.evaluations), { signal }),
    placeholderData: previousMatches,
    enabled,
  })
  // "r5" can be a part of a name, too.
  const variantText = name || searchText
  const variants = useQuery({
    queryKey: ['palette', 'variants', variantText],
    queryFn: ({ signal }) => assay.listVariants(listQuery(variantText, MAX_NEWEST.variants), { signal }),
    placeholderData: previousMatches,
    enabled,
  })
  const isAnyVariant = revision !== undefined && name === ''
  const anyVariants = useQuery({
    queryKey: ['palette', 'newest variants'],
    queryFn: ({ signal }) => assay.listVariants({ limit: MAX_SEARCHED }, { signal }),
    enabled: enabled && isAnyVariant,
  })
  const { variantId } = useParams({ strict: false })
  if (restriction !== null) return { groups: sharedGroups(restriction, searchText, links), status: '' }
  const foundVariants = variants.data?.items ?? []
  const isCurrent = ({ id }: Variant) => Number(id === variantId)
  const revisedVariants = isAnyVariant
    ? (anyVariants.data?.items.toSorted((a, b) => isCurrent(b) - isCurrent(a)) ?? [])
    : foundVariants
  const variantGroups = [
    {
      title: 'Revisions',
      items: revisedVariants
        .flatMap((variant) => revisionItems(variant, revision, links))
        .slice(0, MAX_FOUND),
    },
    { title: 'Variants', items: foundVariants.map(links.variant) },
  ]
  const evaluationGroup = {
    title: 'Evaluations',
    items: (evaluations.data?.items ?? []).map(links.evaluation),
  }
  const groups = searchText === '' ? [evaluationGroup, ...variantGroups] : [...variantGroups, evaluationGroup]
  const failure = evaluations.failureReason ?? variants.failureReason ?? anyVariants.failureReason
  if (failure) return { groups, status: `The search failed. ${failure.message}` }
  const isLoading = evaluations.isPending || variants.isPending || anyVariants.isLoading
  return { groups, status: isLoading ? 'Searching…' : '', isLoading }
}

function listQuery(text: string, maxNewest: number) {
  return text === '' ? { limit: maxNewest } : { q: text, limit: MAX_FOUND }
}

/** Keeps the matches of the previous text while the next ones load, but not the newest items, which match no text. */
function previousMatches<Data>(data: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) {
  return query?.queryKey.at(-1) === '' ? undefined : data
}

/** "support-answer r5" is revision 5 of the variants whose names contain "support-answer", and "r5" that of any variant. */
function parseRevision(text: string): { name: string; revision?: number } {
  const [, name = '', number] = /^(?:(.+?)\s+)?r(\d{1,9})$/i.exec(text) ?? []
  return number === undefined ? { name: text } : { name, revision: Number(number) }
}

type Links = ReturnType<typeof useLinks>

function useLinks() {
  const navigate = useNavigate()
  return {
    evaluation: (evaluation: {
      id: string
      name: string | null
      variant_id?: string | null
      revision?: number | null
    }): PaletteItem => ({
      id: `evaluation ${evaluation.id}`,
      label: evaluation.name ?? evaluation.id,
      detail: [evaluation.variant_id, evaluation.revision && `r${evaluation.revision}`]
        .filter(Boolean)
        .join(' '),
      icon: FlaskConical,
      run: () => navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: evaluation.id } }),
    }),
    comparison: (ids: string[]): PaletteItem => ({
      id: 'comparison',
      label: `Comparison of ${ids.join(', ')}`,
      icon: GitCompareArrows,
      run: () => navigate({ to: '/compare', search: { evaluation: ids } }),
    }),
    variant: ({ id, name }: Pick<Variant, 'id' | 'name'>): PaletteItem => ({
      id: `variant ${id}`,
      label: name ?? id,
      detail: name === null ? undefined : id,
      icon: Layers,
      run: () => navigate({ to: '/variants/$variantId', params: { variantId: id } }),
    }),
    revision: ({ id, name }: Pick<Variant, 'id' | 'name'>, revision: number): PaletteItem => ({
      id: `revision ${id} ${revision}`,
      label: `${name ?? id} r${revision}`,
      detail: name === null ? undefined : id,
      icon: GitCommitHorizontal,
      run: () =>
        navigate({
          to: '/variants/$variantId/revisions/$revision',
          params: { variantId: id, revision: String(revision) },
        }),
    }),
  }
}

function revisionItems(variant: Variant, revision: number | undefined, links: Links): PaletteItem[] {
  const isExisting = revision !== undefined && revision > 0 && revision <= (variant.latest_revision ?? 0)
  return isExisting ? [links.revision(variant, revision)] : []
}

/** What the key of a share link can open. */
function sharedGroups(restriction: Restriction, text: string, links: Links): PaletteGroup[] {
  const { evaluation_id, comparison = [], variant_id } = restriction
  const { name, revision } = parseRevision(text)
  const variant = variant_id === undefined ? undefined : { id: variant_id, name: null }
  const evaluationIds = evaluation_id === undefined ? comparison : [evaluation_id]
  const isMatch = (item: PaletteItem, part = text) => item.label.toLowerCase().includes(part.toLowerCase())
  const items = [
    ...(comparison.length > 1 ? [links.comparison(comparison)] : []),
    ...evaluationIds.map((id) => links.evaluation({ id, name: null })),
    ...(variant ? [links.variant(variant)] : []),
  ].filter((item) => isMatch(item))
  if (variant && revision !== undefined && isMatch(links.variant(variant), name)) {
    items.push(links.revision(variant, revision))
  }
  return [{ title: 'Shared with you', items }]
}
