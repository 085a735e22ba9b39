import { useEffect, useMemo, useState } from 'preact/hooks'
import { unredacted } from '../../answer/unredacted.ts'
import type { Attempt, Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Code, Text } from '../../components/code.tsx'
import { MarkedText, useReplay } from '../../components/marked-text.tsx'
import { Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'
import { Segments } from '../../components/segments.tsx'
import { Skeleton } from '../../components/state.tsx'
import type { Comparison } from './attempt-diff.ts'
import { Calls } from './calls.tsx'

const nothing: readonly never[] = []

type AttemptView = 'issues' | 'changes'
const views = [
  ['issues', 'Issues'],
  ['changes', 'Changes since the attempt before'],
] as const

/** The calls of the model side by side, with what changed between them and what the model was told. */
export function AttemptsPanel({ run }: { readonly run: Run }) {
  const { attempts, counts } = run
  const [view, setView] = useState<AttemptView>('issues')
  const hasTexts = attempts.filter(({ text }) => text !== undefined).length > 1
  if (attempts.length === 0) return null
  return (
    <Panel
      title="Attempts"
      note={attempts.length < counts.attempts ? `first ${attempts.length} of ${counts.attempts}` : String(counts.attempts)}
      actions={hasTexts && <Segments label="Texts of attempts" options={views} value={view} choose={setView} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="attempts" aria-label="Attempts side by side" tabIndex={0}>
        {attempts.map((attempt, at) => (
          <AttemptColumn
            key={attempt.number}
            attempt={attempt}
            before={attempts[at - 1]}
            view={view}
            isOnly={attempts.length === 1 && run.text !== undefined}
          />
        ))}
      </section>
    </Panel>
  )
}

const tones = { deliver: 'valid', repair: 'repaired', retry: 'unchecked', 'give-up': 'unresolved', failed: 'failed' } as const
const words = { deliver: 'delivered', repair: 'repaired', retry: 'asked again', 'give-up': 'given up', failed: 'failed' } as const

interface ColumnProps {
  readonly attempt: Attempt
  readonly before: Attempt | undefined
  readonly view: AttemptView
  /** Whether the answer above shows all of its text and issues. */
  readonly isOnly: boolean
}

function AttemptColumn({ attempt, before, view, isOnly }: ColumnProps) {
  const { format } = useServices()
  const {
    number,
    decision = '',
    failure,
    ms,
    usage,
    finishReason,
    stoppedAt,
    text,
    issues,
    feedback,
    stderr,
    call,
    resumption,
    toolCalls,
  } = attempt
  const known = Object.hasOwn(words, decision) ? (decision as keyof typeof words) : undefined
  const isWithheld = decision === 'give-up' && !issues.some(({ severity }) => severity === 'error')
  const facts = [
    format.duration(ms),
    usage === undefined ? '' : format.usage(usage),
    finishReason === undefined ? '' : `ended: ${format.visible(finishReason)}`,
    stoppedAt === undefined ? '' : `stopped at character ${format.number(stoppedAt)}`,
    call === 'continue' ? 'in the same conversation' : '',
    resumption === undefined ? '' : `session ${format.visible(resumption)}`,
  ]
  return (
    <article class="attempt">
      <header>
        <h3>Attempt {number}</h3>
        {decision !== '' && (
          <Tag tone={known === undefined ? '' : isWithheld ? 'unchecked' : tones[known]}>
            {known === undefined ? decision : isWithheld ? 'withheld' : words[known]}
          </Tag>
        )}
        {failure !== undefined && <Tag tone="failed">{failure}</Tag>}
      </header>
      <p class="quiet">{facts.filter((one) => one !== '').join(' · ')}</p>
      {text === undefined || isOnly || (text === '' && toolCalls !== undefined) ? null : view === 'changes' &&
        before?.text !== undefined ? (
        <Difference before={before.text} after={text} />
      ) : (
        <AttemptText {...{ text, attempt }} />
      )}
      {!isOnly && <Calls calls={toolCalls} issues={nothing} of={`attempt ${number}`} />}
      {isOnly && issues.length > 0 ? null : issues.length === 0 ? (
        <p class="quiet">
          {failure !== undefined
            ? 'There was no answer to check.'
            : isWithheld
              ? 'No issues, but not everything could be checked.'
              : 'No issues.'}
        </p>
      ) : (
        <ul class="attempt-issues">
          {issues.map(({ code, validator, message, severity, path }, at) => (
            <li key={at}>
              <span class="finding-head">
                <Tag tone={severity === 'error' ? 'unresolved' : 'unchecked'}>{severity}</Tag>
                <code>
                  <Text>{validator}</Text>/<Text>{code}</Text>
                </code>
              </span>
              <Text>{message}</Text>
              {path !== undefined && path.length > 0 && <span class="quiet finding-path">{format.place(undefined, path)}</span>}
            </li>
          ))}
        </ul>
      )}
      {stderr !== undefined && (
        <details>
          <summary>Error stream</summary>
          <Code text={stderr} label={`Error stream of attempt ${number}`} />
        </details>
      )}
      {feedback !== undefined && (
        <div class="feedback">
          <h4>Then told the model</h4>
          <Code text={feedback} label={`Feedback after attempt ${number}`} />
        </div>
      )}
    </article>
  )
}

function AttemptText({ text, attempt }: { readonly text: string; readonly attempt: Attempt }) {
  const shown = useMemo(() => unredacted(text, attempt.issues), [text, attempt.issues])
  const texts = useReplay(shown, nothing, shown)
  return <MarkedText label={`Text of attempt ${attempt.number}`} texts={texts} view="final" issues={attempt.issues} />
}

function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const { format } = useServices()
  const [found, setFound] = useState<Comparison | 'unknown' | undefined>()
  useEffect(() => {
    let isGone = false
    setFound(undefined)
    // Few readers compare, so the library is loaded for them only.
    void import('./attempt-diff.ts').then(({ compare }) => isGone || setFound(compare(before, after) ?? 'unknown'))
    return () => {
      isGone = true
    }
  }, [before, after])
  if (found === undefined) return <Skeleton rows={2} />
  if (found === 'unknown') return <p class="quiet note">The texts are too long, or differ too much, to be compared here.</p>
  return (
    <div class="code diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="code-scroll" aria-label={`Changes by ${found.by}`} tabIndex={0}>
        <pre>
          {found.changes.map(({ kind, text }, at) => {
            const { shown } = format.clamp(text, 20_000)
            return kind === 'same' ? shown : kind === 'added' ? <ins key={at}>{shown}</ins> : <del key={at}>{shown}</del>
          })}
        </pre>
      </section>
    </div>
  )
}
