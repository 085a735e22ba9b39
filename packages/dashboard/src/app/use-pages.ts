import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from '../api/types.ts'
import { useServices } from './services.ts'

/** A list that is loaded page by page. */
export interface Pages<Item> {
  /** Undefined until the first page has come. */
  readonly items: readonly Item[] | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly hasMore: boolean
  more(): void
  reload(): void
}

interface State<Item> {
  readonly items: readonly Item[] | undefined
  readonly next: string | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

/** Gets the first page of a list, and the next ones on request. */
export function usePages<Item>(path: string): Pages<Item> {
  const { client } = useServices()
  const [state, setState] = useState<State<Item>>({ items: undefined, next: undefined, error: undefined, isLoading: true })
  const current = useRef(new AbortController())

  const load = useCallback(
    (cursor: string | undefined) => {
      current.current.abort()
      const own = new AbortController()
      current.current = own
      setState((before) => ({ ...before, isLoading: true }))
      const address = cursor === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
      client.get<Page<Item>>(address, own.signal).then(
        ({ items, next }) =>
          own.signal.aborted ||
          setState(({ items: before = [] }) => ({
            items: cursor === undefined ? items : [...before, ...items],
            next,
            error: undefined,
            isLoading: false,
          })),
        (error: unknown) => own.signal.aborted || setState((before) => ({ ...before, error, isLoading: false })),
      )
    },
    [client, path],
  )

  useEffect(() => {
    load(undefined)
    return () => current.current.abort()
  }, [load])

  const { items, next, error, isLoading } = state
  return { items, error, isLoading, hasMore: next !== undefined, more: () => load(next), reload: () => load(undefined) }
}
