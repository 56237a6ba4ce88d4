// The header: which evaluators are compared, and how well they agree in one sentence.
import { Link } from '@tanstack/react-router'
import type { Agreement, Evaluation } from 'assay-client'
import { agreementWord, falseFails, falsePasses } from '../../format/agreement-word.ts'
import { formatCount, pluralize } from '../../format/numbers.ts'
import { ListCrumb } from '../../navigation/links.tsx'
import shared from '../../revisions/header.module.css'
import { ShareMenu } from '../../share/share-menu.tsx'
import { stringifySearch, useChangeSearchParams } from '../../state/search-params.ts'
import { ChoiceMenu } from '../../ui/menus/choice-menu.tsx'
import { type JudgeNames, truthName } from './names.ts'
import styles from './page.module.css'
import type { RowKind } from './search-params.ts'

interface HeaderProps {
  evaluation: Evaluation
  agreement: Agreement | undefined
  options: readonly string[]
  names: JudgeNames
}

export function Header({ evaluation, agreement, options, names }: HeaderProps) {
  const { id, name } = evaluation
  const changeParams = useChangeSearchParams<'/evaluations/$evaluationId/agreement'>()
  const search = { evaluator: names.evaluator, with: names.with }
  const choices = (excluded: string) =>
    options.filter((option) => option !== excluded).map((value) => ({ value, name: <bdi>{value}</bdi> }))
  return (
    <>
      <header className={shared.header}>
        <div className={shared.title}>
          <nav aria-label="Breadcrumb">
            <ListCrumb to="/" />
            <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }}>
              <bdi>{name ?? id}</bdi>
            </Link>{' '}
            <span aria-hidden="true">/</span>
          </nav>
          <h1>Can I trust this judge?</h1>
          <ChoiceMenu
            title="Evaluator"
            value={names.evaluator}
            options={choices(names.with)}
            onSelect={(evaluator) => changeParams({ ...search, evaluator, kind: undefined })}
          />
          <span className="quiet">against</span>
          <ChoiceMenu
            title="Compared with"
            value={names.with}
            options={choices(names.evaluator)}
            onSelect={(truth) => changeParams({ ...search, with: truth, kind: undefined })}
          />
        </div>
        <div className={shared.tools}>
          <ShareMenu
            link={() => ({ link: location.origin + location.pathname + stringifySearch(search) })}
            confined_to={{ evaluation_id: id }}
            call={{
              path: `/api/evaluations/${encodeURIComponent(id)}/agreement${stringifySearch(search)}`,
              client: `getEvaluationAgreement(${JSON.stringify(id)}, ${JSON.stringify(search)})`,
            }}
          />
        </div>
      </header>
      {agreement && <Conclusion agreement={agreement} />}
    </>
  )
}

function Conclusion({ agreement }: { agreement: Agreement }) {
  const { evaluator, with: truth, verdicts, n, rows } = agreement
  return (
    <div className={styles.sentences}>
      <p role="status" className={styles.conclusion}>
        {verdicts && verdicts.n > 0 ? (
          <VerdictSentence agreement={agreement} verdicts={verdicts} />
        ) : (
          <>
            <strong>{evaluator.name}</strong> and <strong>{truth.name}</strong> have no verdicts on the same
            rows.
          </>
        )}
      </p>
      <p className="muted">
        {evaluator.name}: {[KINDS[evaluator.kind ?? ''], thresholdText(evaluator)].filter(Boolean).join(', ')}
        . {pluralize(n, 'row')} of {formatCount(rows)} have scores of both.
      </p>
    </div>
  )
}

const KINDS: Record<string, string | undefined> = {
  code: 'a program',
  model: 'a language model',
  human: 'people',
}

function thresholdText({ threshold, higher_is_better }: Agreement['evaluator']): string {
  if (threshold === null) return 'without threshold'
  return `passes at ${threshold} or ${higher_is_better ? 'more' : 'less'}`
}

interface VerdictSentenceProps {
  agreement: Agreement
  verdicts: NonNullable<Agreement['verdicts']>
}

function VerdictSentence({ agreement, verdicts }: VerdictSentenceProps) {
  const { evaluator } = agreement
  const { n, both_pass, both_fail, only_evaluator, only_with, kappa } = verdicts
  const word = agreementWord(kappa)
  return (
    <>
      <strong>{evaluator.name}</strong> agrees with {truthName(agreement)} on{' '}
      <strong>
        {formatCount(both_pass + both_fail)} of {pluralize(n, 'row')}
      </strong>
      {word && (
        <>
          : <strong>{word} agreement</strong>
        </>
      )}
      .{' '}
      {only_evaluator + only_with > 0 && (
        <>
          It is {directionOf(only_evaluator, only_with)}:{' '}
          <KindLink kind="false-pass">{falsePasses(only_evaluator)}</KindLink>,{' '}
          <KindLink kind="false-fail">{falseFails(only_with)}</KindLink>.
        </>
      )}
    </>
  )
}

/** Which of its two errors a judge makes more often. */
function directionOf(falsePasses: number, falseFails: number): string {
  if (falsePasses === falseFails) return 'wrong in both directions'
  return falsePasses > falseFails
    ? 'more often too generous than too strict'
    : 'more often too strict than too generous'
}

function KindLink({ kind, children }: { kind: RowKind; children: string }) {
  return (
    <Link
      from="/evaluations/$evaluationId/agreement"
      search={(previous) => ({ ...previous, kind })}
      className="count-link"
    >
      {children}
    </Link>
  )
}
