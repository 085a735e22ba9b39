import { useEffect, useState } from 'preact/hooks'
import type { Contract, TryReport } from '../../api/contract-types.ts'
import type { Run } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Findings } from '../../components/findings.tsx'
import { MarkedText, type TextView, useReplay } from '../../components/marked-text.tsx'
import { Panel } from '../../components/page.tsx'
import { Pill } from '../../components/pill.tsx'
import { Segments } from '../../components/segments.tsx'
import { type Asked, callsOf, whyNoAnswer, writtenText } from '../run/reproduce.ts'
import { type TrialState, useTry } from './use-try.ts'
import { YamlEditor } from './yaml-editor.tsx'

/** An answer under the contract as it is edited here: the verdict and the repairs at once. Nothing is recorded. */
export function Try({ contract }: { readonly contract: Contract }) {
  const { router, format } = useServices()
  const [yaml, setYaml] = useState(contract.yaml ?? '')
  const [text, setText] = useState('')
  const [question, setQuestion] = useState('')
  const [calls, setCalls] = useState<Asked>({})
  const [hasText, setHasText] = useState(false)
  const state = useTry(hasText ? { contract: contract.name, yaml, text, question, calls: JSON.stringify(calls) } : undefined)
  const take = (run: Run): void => {
    setText(writtenText(run) ?? run.text ?? '')
    setCalls(callsOf(run))
    setQuestion(run.request ?? '')
    setHasText(true)
  }
  const isChanged = yaml !== (contract.yaml ?? '')
  return (
    <Panel
      title="Try"
      note="nothing is sent to a model or recorded"
      actions={
        <>
          {isChanged && (
            <button type="button" class="button" onClick={() => setYaml(contract.yaml ?? '')}>
              Undo changes
            </button>
          )}
          <CopyButton text={yaml} label="Copy the YAML" />
        </>
      }
    >
      <div class="try">
        <div class="try-part">
          <h3>Contract</h3>
          <YamlEditor yaml={yaml} errors={state.errors} change={setYaml} />
          <Problems state={state} />
        </div>
        <div class="try-part">
          <h3>
            <label for="try-answer">Answer</label>
          </h3>
          <textarea
            id="try-answer"
            class="field try-answer"
            rows={7}
            spellcheck={false}
            placeholder="Paste an answer of a model"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setHasText(true)
            }}
          />
          <TakeRun first={router.place.value.query.get('run') ?? ''} take={take} />
          {calls.tool_calls !== undefined && (
            <p class="quiet">
              Judged with the tool calls of the run: <bdi>{format.visible(calls.tool_calls.map(({ name }) => name).join(', '))}</bdi>
            </p>
          )}
          <Verdict state={state} />
        </div>
      </div>
    </Panel>
  )
}

function Problems({ state: { errors, problem } }: { readonly state: TrialState }) {
  const { format } = useServices()
  return (
    <ul id="contract-errors" class="problems" aria-live="polite">
      {errors.map(({ line, column, message }, at) => (
        <li key={at} class="problem">
          {line !== undefined && (
            <code>
              {line}:{column ?? 1}
            </code>
          )}{' '}
          <bdi>{format.visible(message)}</bdi>
        </li>
      ))}
      {problem !== '' && <li class="problem">{format.visible(problem)}</li>}
    </ul>
  )
}

/** Takes the answer of a run. */
function TakeRun({ first, take }: { readonly first: string; take(run: Run): void }) {
  const { client, format } = useServices()
  const [id, setId] = useState(first)
  const [problem, setProblem] = useState('')
  const load = async (wanted: string): Promise<void> => {
    setProblem('')
    try {
      const run = await client.get<Run>(`runs/${encodeURIComponent(wanted)}`)
      const why = run.text === undefined ? 'The texts of this run are not kept.' : whyNoAnswer(run)
      if (why === undefined) take(run)
      else setProblem(why)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  // Only the run that a link names is taken by itself.
  useEffect(() => {
    if (first !== '') void load(first)
  }, [first])
  return (
    <form
      class="take-run"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.trim() !== '') void load(id.trim())
      }}
    >
      <input
        class="field"
        aria-label="Id of a run"
        placeholder="or the id of a run"
        value={id}
        onInput={(event) => setId(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={id.trim() === ''}>
        Take its answer
      </button>
      {problem !== '' && (
        <span class="problem" role="alert">
          {format.visible(problem)}
        </span>
      )}
    </form>
  )
}

function Verdict({ state: { report, isLoading, errors, problem } }: { readonly state: TrialState }) {
  if (report === undefined || errors.length > 0 || problem !== '') {
    const says = isLoading
      ? 'Checking …'
      : errors.length > 0 || problem !== ''
        ? 'No verdict: see what is wrong with the contract.'
        : 'The verdict appears here as you type.'
    return <p class="quiet">{says}</p>
  }
  return <Report report={report} given={report.given} />
}

const none: readonly never[] = []

function Report({ report, given }: { readonly report: TryReport; readonly given: string }) {
  const { issues, fixed = none, repairs, text = given, unchecked = none, status } = report
  const texts = useReplay(given, repairs, text)
  const [view, setView] = useState<TextView>('changes')
  const [chosen, setChosen] = useState<string>()
  const options = [
    ['changes', 'Changes'],
    ['final', 'After'],
  ] as const satisfies readonly (readonly [TextView, string])[]
  return (
    <div class="try-report" aria-live="polite">
      <div class="verdict-line">
        <Pill status={status} />
        {issues.length === 0 && repairs.length === 0 && status === 'valid' && <span class="quiet">It keeps the contract as it is.</span>}
        {texts.isExact && repairs.length > 0 && <Segments label="Text" options={options} value={view} choose={setView} />}
      </div>
      {unchecked.map(({ validator, cause, message }) => (
        <p key={validator} class="quiet">
          <Text>{`${validator} could not run (${cause}): ${message}`}</Text>
        </p>
      ))}
      {given !== '' && (
        <MarkedText {...{ label: 'Answer that is tried', texts, view, issues, fixed, repairs, chosen, choose: setChosen }} />
      )}
      <Findings {...{ issues, fixed, repairs, chosen, choose: setChosen }} />
    </div>
  )
}
