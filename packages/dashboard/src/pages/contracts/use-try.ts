import { useEffect, useState } from 'preact/hooks'
import type { ContractError, TryReply, TryReport } from '../../api/contract-types.ts'
import { useServices } from '../../app/services.ts'

/** What is tried: YAML, or a contract as it is. */
export interface Trial {
  readonly contract: string
  readonly yaml: string
  readonly text: string
  readonly question: string
  /** The calls of the answer, and the tools and the format of its request, as JSON. */
  readonly calls: string
}

/** What a try gave so far. */
export interface TrialState {
  /** The report, with the text that it is about. */
  readonly report?: TryReport & { readonly given: string }
  readonly errors: readonly ContractError[]
  readonly problem: string
  readonly isLoading: boolean
}

const waitMs = 350

/** Tries an answer a moment after the last change; undefined tries nothing. */
export function useTry(trial: Trial | undefined): TrialState {
  const { client, window } = useServices()
  const [state, setState] = useState<TrialState>({ errors: [], problem: '', isLoading: false })
  const { contract = '', yaml = '', text = '', question = '', calls = '{}' } = trial ?? {}
  const isWanted = trial !== undefined

  useEffect(() => {
    if (!isWanted) return
    const own = new AbortController()
    const ask = async (): Promise<void> => {
      setState((before) => ({ ...before, isLoading: true }))
      try {
        const rules = yaml.trim() === '' ? { contract } : { yaml }
        const answer = { text, ...(JSON.parse(calls) as object), ...(question === '' ? {} : { question }) }
        const reply = await client.post<TryReply>('try', { ...rules, ...answer }, own.signal)
        if (own.signal.aborted) return
        const { contractErrors: errors = [], report } = reply
        setState({ errors, problem: '', isLoading: false, ...(report === undefined ? {} : { report: { ...report, given: text } }) })
      } catch (error) {
        if (own.signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        setState({ errors: [], problem: message, isLoading: false })
      }
    }
    const timer = window.setTimeout(() => void ask(), waitMs)
    return () => {
      window.clearTimeout(timer)
      own.abort()
    }
  }, [client, window, isWanted, contract, yaml, text, question, calls])

  return state
}
