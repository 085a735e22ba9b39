import { useState } from 'preact/hooks'
import type { Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Code } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'
import { Segments } from '../../components/segments.tsx'
import { caseOf, curlOf, missingTools, whyNoAnswer } from './reproduce.ts'

type Form = 'curl' | 'case' | 'json'
const forms = [
  ['curl', 'curl'],
  ['case', 'Case'],
  ['json', 'Record'],
] as const

/** The run as a request to repeat, as a case for a check, and as it is recorded. */
export function ReproducePanel({ run }: { readonly run: Run }) {
  const { me, origin } = useServices()
  const [form, setForm] = useState<Form>('curl')
  const place = { origin, hasKeys: me.value?.role !== 'local' }
  const text = form === 'curl' ? curlOf(run, place) : form === 'case' ? caseOf(run) : JSON.stringify(run, null, 2)
  const notes = {
    curl: run.prompt === undefined ? 'With the beginning of the question only.' : 'Long messages are shortened in the record, and so here.',
    case: 'One line for a file: stickler check --jsonl cases.jsonl',
    json: 'As GET /api/v1/runs/ID returns it.',
  }
  return (
    <Panel title="Reproduce" actions={<Segments label="Form" options={forms} value={form} choose={setForm} />}>
      <div class="panel-body">
        {text === undefined ? (
          <p class="quiet">{(form === 'case' && whyNoAnswer(run)) || 'Its texts are not kept, so it cannot be repeated.'}</p>
        ) : (
          <>
            <p class="quiet">
              {notes[form]} {form !== 'json' && missingTools(run)}
            </p>
            <Code text={text} label={`The run as ${form}`} most={8000} />
          </>
        )}
      </div>
    </Panel>
  )
}
