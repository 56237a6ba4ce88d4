// Kappa over the threshold of the judge, and a button that sets the best one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Agreement } from 'assay-client'
import { useId, useMemo, useRef } from 'react'
import { assay } from '../../api/client.ts'
import { useCanWrite } from '../../api/key.ts'
import { falseFails, falsePasses } from '../../format/agreement-word.ts'
import { formatDecimal, formatScore, pluralize } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Box, BoxFooter } from '../../ui/cards/box.tsx'
import charts from '../../ui/charts/charts.module.css'
import { useWidth } from '../../ui/charts/use-width.ts'
import { toast } from '../../ui/messages/toasts.tsx'
import styles from './page.module.css'
import { type ThresholdLayout, thresholdLayout } from './threshold-layout.ts'

interface ThresholdProps {
  agreement: Agreement
  best: NonNullable<Agreement['best_threshold']>
}

const HEIGHT = 168

export function Threshold({ agreement, best }: ThresholdProps) {
  const { evaluator, thresholds, verdicts } = agreement
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const layout = useMemo(
    () => thresholdLayout(thresholds, { width, height: HEIGHT, now: evaluator.threshold, best }),
    [thresholds, width, evaluator.threshold, best],
  )
  const isBest = best.threshold === evaluator.threshold
  const kappa = formatDecimal(best.kappa ?? 0, 2, 2)
  return (
    <Box
      title="Threshold"
      detail="kappa over threshold"
      controls={!isBest && <UseButton agreement={agreement} threshold={best.threshold} />}
    >
      <div ref={frame} className={charts.plot}>
        {width > 0 && <Plot layout={layout} width={width} title={titleOf(agreement, best)} />}
      </div>
      <BoxFooter>
        <strong>{formatScore(best.threshold)}</strong>{' '}
        {isBest ? (
          <>is the best threshold on these rows.</>
        ) : (
          <>
            gives {kappa}
            {verdicts?.kappa != null && ` instead of ${formatDecimal(verdicts.kappa, 2, 2)}`}, with{' '}
            {falsePasses(best.only_evaluator)} and {falseFails(best.only_with)}.
          </>
        )}{' '}
        Chosen on these {pluralize(best.n, 'row')}, so expect a little less.
      </BoxFooter>
    </Box>
  )
}

function UseButton({ agreement: { id, evaluator }, threshold }: { agreement: Agreement; threshold: number }) {
  const queryClient = useQueryClient()
  const save = useMutation({
    // Other evaluators stay as they are.
    mutationFn: () => assay.changeEvaluation(id, { evaluators: [{ name: evaluator.name, threshold }] }),
    onSuccess: () => {
      toast(`${evaluator.name} passes at ${formatScore(threshold)} now.`)
      return queryClient.invalidateQueries({ queryKey: ['evaluation', id] })
    },
    onError: (error) => toast(`The threshold was not changed. ${error.message}`),
  })
  if (!useCanWrite()) return null
  return (
    <Button size="small" disabled={save.isPending} onClick={() => save.mutate()}>
      Use {formatScore(threshold)}
    </Button>
  )
}

function titleOf({ evaluator, verdicts }: Agreement, best: ThresholdProps['best']): string {
  const now =
    evaluator.threshold === null || verdicts?.kappa == null
      ? ''
      : ` With ${formatScore(evaluator.threshold)}, it is ${formatDecimal(verdicts.kappa, 2, 2)}.`
  return `Kappa over the threshold of ${evaluator.name}: the highest is ${formatDecimal(best.kappa ?? 0, 2, 2)}, with ${formatScore(best.threshold)}.${now}`
}

function Plot({ layout, width, title }: { layout: ThresholdLayout; width: number; title: string }) {
  const titleId = useId()
  const { area, ticks, columns, band, line, now, best } = layout
  return (
    <svg role="img" aria-labelledby={titleId} width={width} height={HEIGHT} className={charts.drawing}>
      <title id={titleId}>{title}</title>
      {ticks.map(({ y, label }) => (
        <g key={label}>
          <line x1={area.left} x2={area.right} y1={y} y2={y} className={charts.gridLine} />
          <text x={area.left - 8} y={y + 4} textAnchor="end" className={charts.axisLabel}>
            {label}
          </text>
        </g>
      ))}
      {columns.map(({ x, label }) => (
        <text key={label} x={x} y={HEIGHT - 8} textAnchor="middle" className={charts.axisLabel}>
          {label}
        </text>
      ))}
      <path d={band} className={styles.band} />
      <polyline points={line} className={charts.line} />
      {now && (
        <>
          <line x1={now.x} x2={now.x} y1={area.top} y2={area.bottom} className={charts.baseline} />
          <text x={now.x} y={area.top - 6} textAnchor={now.anchor} className={charts.axisLabel}>
            {now.label}
          </text>
        </>
      )}
      {best && (
        <>
          <line x1={best.x} x2={best.x} y1={area.top} y2={area.bottom} className={styles.suggestion} />
          <circle cx={best.x} cy={best.y} r={4} className={styles.suggestionPoint} />
          <text x={best.x} y={area.top - 6} textAnchor={best.anchor} className={styles.suggestionLabel}>
            {best.label}
          </text>
        </>
      )}
    </svg>
  )
}
