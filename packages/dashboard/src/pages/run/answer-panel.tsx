import { useEffect, useState } from 'preact/hooks'
import { unredacted } from '../../answer/unredacted.ts'
import type { Run } from '../../api/run-types.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { Findings } from '../../components/findings.tsx'
import { Link } from '../../components/link.tsx'
import { MarkedText, type TextView, useReplay } from '../../components/marked-text.tsx'
import { Panel } from '../../components/page.tsx'
import { Segments } from '../../components/segments.tsx'
import { Calls } from './calls.tsx'
import { answeringAttempt, writtenText } from './reproduce.ts'
import { titleOfText } from './run-words.ts'

const views = [
  ['changes', 'Changes'],
  ['final', 'Delivered'],
  ['original', 'As written'],
] as const satisfies readonly (readonly [TextView, string])[]

/** The answer with its issues and repairs, and the list of them. */
export function AnswerPanel({ run }: { readonly run: Run }) {
  const { me } = useServices()
  const { issues, fixed, repairs, counts } = run
  // Where secrets remain, the kept text has placeholders for them.
  const text = repairs.length === 0 ? unredacted(run.text ?? '', issues) : (run.text ?? '')
  const texts = useReplay(repairs.length === 0 ? text : writtenText(run), repairs, text)
  const [view, setView] = useState<TextView>('changes')
  const [chosen, setChosen] = useState<string>()
  const hasChanges = texts.isExact && texts.original !== texts.final
  const choose = (finding: string): void => setChosen(finding)
  useScrollTo(chosen)
  const hasFindings = issues.length + fixed.length + repairs.length > 0
  return (
    <Panel
      title={titleOfText(run)}
      actions={
        <>
          {hasChanges && <Segments label="Text" options={views} value={view} choose={setView} />}
          {me.value?.role !== 'client' && run.contract !== '' && run.text !== undefined && (
            <Link to={`${pathOf('contracts', run.contract)}?run=${encodeURIComponent(run.id)}`} class="button">
              Try the contract
            </Link>
          )}
        </>
      }
    >
      <div class={hasFindings ? 'answer with-findings' : 'answer'}>
        {run.text === undefined ? (
          <NoText keepText={me.value?.keepText ?? false} />
        ) : (
          <div class="answer-text">
            {run.text === '' && texts.original === '' ? (
              <p class="quiet note">There is no text: {whyEmpty(run)}</p>
            ) : (
              <MarkedText {...{ label: titleOfText(run), texts, view, issues, fixed, repairs, chosen, choose }} />
            )}
            {!texts.isExact && (
              <p class="quiet note">The places of the repairs in this text are not known: not all of the texts or certificates are kept.</p>
            )}
            <Calls {...{ calls: run.toolCalls, written: answeringAttempt(run)?.toolCalls, issues, fixed, repairs, of: 'the answer' }} />
          </div>
        )}
        {hasFindings && <Findings {...{ issues, fixed, repairs, counts, chosen, choose }} />}
      </div>
    </Panel>
  )
}

function whyEmpty({ status, toolCalls }: Run): string {
  if (toolCalls !== undefined) return 'the model only called tools.'
  return status === 'failed' ? 'the model gave no answer.' : 'the model only called tools, or said nothing.'
}

/** Says why there is no text. */
function NoText({ keepText }: { readonly keepText: boolean }) {
  return (
    <p class="quiet note">
      {keepText ? (
        'The text of this run is not kept: it was recorded before texts were kept, or there was none.'
      ) : (
        <>
          Texts are not kept by this gateway. Set <code>store.keepText: true</code> to see prompts and answers of later runs; everything
          else about this run is below.
        </>
      )}
    </p>
  )
}

/** Brings the chosen finding into view, in the text and in the list. */
function useScrollTo(chosen: string | undefined): void {
  const { window } = useServices()
  useEffect(() => {
    if (chosen === undefined) return
    window.document.getElementById(`finding-${chosen}`)?.closest('details')?.setAttribute('open', '')
    for (const found of [
      window.document.querySelector(`[data-finding="${chosen}"]`),
      window.document.getElementById(`finding-${chosen}`),
    ]) {
      found?.scrollIntoView({ block: 'nearest' })
    }
  }, [chosen, window])
}
