import { useState } from 'preact/hooks'
import type { Run, RunLabel } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Icon } from '../../components/icon.tsx'

const longestNote = 1000

/** With which an operator says whether the answer is good, for evaluations and false alarms. */
export function LabelForm({ run, changed }: { readonly run: Pick<Run, 'id' | 'label'>; changed(label: RunLabel | undefined): void }) {
  const { client, notice, format } = useServices()
  const known = run.label
  const [note, setNote] = useState(known?.note ?? '')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const path = `runs/${encodeURIComponent(run.id)}/label`

  const save = async (label: RunLabel | undefined): Promise<void> => {
    setBusy(true)
    setProblem('')
    try {
      if (label === undefined) await client.remove(path)
      else await client.put(path, { label: label.label, ...(label.note ? { note: label.note } : {}) })
      changed(label)
      notice.value = label === undefined ? 'The label is removed.' : `Labelled ${label.label}.`
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  const choose = (label: 'good' | 'bad'): void => void save(known?.label === label ? undefined : { label, note: note.trim() })

  return (
    <form
      class="label-form"
      aria-label="Label"
      onSubmit={(event) => {
        event.preventDefault()
        if (known !== undefined) void save({ label: known.label, note: note.trim() })
      }}
    >
      <span class="quiet">Is this answer good?</span>
      {(['good', 'bad'] as const).map((label) => (
        <button
          key={label}
          type="button"
          class={`button label-${label}`}
          aria-pressed={known?.label === label}
          disabled={isBusy}
          onClick={() => choose(label)}
        >
          <Icon name={label === 'good' ? 'check' : 'close'} />
          {label === 'good' ? 'Good' : 'Bad'}
        </button>
      ))}
      <input
        class="field"
        aria-label="Note"
        placeholder="Why? (optional)"
        maxLength={longestNote}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
      />
      {known !== undefined && note.trim() !== (known.note ?? '') && (
        <button type="submit" class="button" disabled={isBusy}>
          Save note
        </button>
      )}
      {problem !== '' && (
        <span class="problem" role="alert">
          {format.visible(problem)}
        </span>
      )}
    </form>
  )
}
