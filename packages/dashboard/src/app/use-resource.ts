import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useServices } from './services.ts'

/** What a request gave so far. */
export interface Resource<Reply> {
  /** Kept while the next reply is on its way, so that nothing jumps. */
  readonly data: Reply | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

interface State<Reply> {
  readonly data: Reply | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

/** Gets a path of the API, again when it changes and every `everyMs` while the page is visible; undefined asks for nothing. */
export function useResource<Reply>(path: string | undefined, everyMs?: number): Resource<Reply> {
  const { client, window } = useServices()
  const [state, setState] = useState<State<Reply>>({ data: undefined, error: undefined, isLoading: path !== undefined })
  const current = useRef<AbortController | undefined>(undefined)

  const load = useCallback(() => {
    current.current?.abort()
    if (path === undefined) return
    const own = new AbortController()
    current.current = own
    setState((before) => ({ ...before, isLoading: true }))
    client.get<Reply>(path, own.signal).then(
      (data) => own.signal.aborted || setState({ data, error: undefined, isLoading: false }),
      (error: unknown) => own.signal.aborted || setState((before) => ({ data: before.data, error, isLoading: false })),
    )
  }, [client, path])

  useEffect(() => {
    load()
    return () => current.current?.abort()
  }, [load])

  useEffect(() => {
    if (everyMs === undefined) return
    const timer = window.setInterval(() => window.document.visibilityState === 'visible' && load(), everyMs)
    return () => window.clearInterval(timer)
  }, [load, everyMs, window])

  return { ...state, reload: load }
}
