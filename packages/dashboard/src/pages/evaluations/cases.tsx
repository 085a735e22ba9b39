import { useState } from 'preact/hooks'
import type { Evaluation } from '../../api/evaluation-types.ts'
import { useServices } from '../../app/services.ts'
import { Code, Text } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'
import { Pill } from '../../components/pill.tsx'
import { Segments } from '../../components/segments.tsx'

type Which = 'changed' | 'failing' | 'all'
const choices = [
  ['changed', 'Changed'],
  ['failing', 'Failing'],
  ['all', 'All'],
] as const
const atOnce = 100

/** The answers of a report. */
export function Cases({ cases }: { readonly cases: Evaluation['cases'] }) {
  const { format } = useServices()
  const hasBefore = cases?.rows.some(({ before }) => before !== undefined) ?? false
  const [which, setWhich] = useState<Which>(hasBefore ? 'changed' : 'failing')
  const [shown, setShown] = useState(atOnce)
  if (cases === undefined || cases.rows.length === 0) return null
  const rows = cases.rows.filter(({ before, after }) =>
    which === 'changed'
      ? before !== undefined && before.status !== after.status
      : which === 'all' || !['valid', 'repaired'].includes(after.status),
  )
  return (
    <Panel
      title="Answers"
      note={`${format.number(rows.length)} of ${format.number(cases.total)}`}
      actions={<Segments label="Which answers" options={hasBefore ? choices : choices.slice(1)} value={which} choose={setWhich} />}
    >
      {rows.length === 0 && <p class="panel-empty quiet">None.</p>}
      <ul class="cases">
        {rows.slice(0, shown).map(({ id, model, label, text, before, after }, at) => (
          <li key={at}>
            <span class="finding-head">
              {before !== undefined && before.status !== after.status && (
                <>
                  <Pill status={before.status} /> →
                </>
              )}
              <Pill status={after.status} />
              <code>
                <Text>{id}</Text>
              </code>
              <span class="quiet">
                <Text>{[model, label && `labelled ${label}`].filter((one) => one).join(', ')}</Text>
              </span>
            </span>
            {(after.errors?.length ?? 0) + (after.repairs?.length ?? 0) > 0 && (
              <span class="quiet">
                <Text>{[...(after.errors ?? []), ...(after.repairs ?? [])].join(', ')}</Text>
              </span>
            )}
            {text !== undefined && <Code text={text} label={`Answer ${id}`} most={2000} />}
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <p class="more-row">
          <button type="button" class="button" onClick={() => setShown(shown + atOnce)}>
            Show more
          </button>
        </p>
      )}
    </Panel>
  )
}
