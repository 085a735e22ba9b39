import { type Status, statuses } from '../api/types.ts'
import { useServices } from '../app/services.ts'

/** The CSS class of a status: one of a fixed set, also for unknown ones. */
export function kindOf(status: string): Status | 'other' {
  return statuses.find((known) => known === status) ?? 'other'
}

const shapes: Readonly<Record<Status | 'other', string>> = {
  valid: 'm3 6.300 2 2 4-4.600',
  repaired: 'M3 8.700 8.500 3.200M6.800 2.500l2.700 2.700M2.800 9.200h2.400',
  unchecked: 'M4.300 4.400a1.800 1.800 0 1 1 2.600 1.700c-.6.300-.9.600-.9 1.200M6 9.400v.1',
  unresolved: 'M6 2.800v4M6 9.100v.1',
  failed: 'm3.500 3.500 5 5m0-5-5 5',
  unenforced: 'M3 6h6',
  other: 'M3 6h6',
}

/** A status as a shape and a word, so that nobody needs its colour. */
export function Pill({ status }: { readonly status: string }) {
  const { format } = useServices()
  const kind = kindOf(status)
  return (
    <span class={`pill ${kind}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
        <path d={shapes[kind]} />
      </svg>
      <bdi>{format.visible(status)}</bdi>
    </span>
  )
}

/** A small neutral word, such as a class of repairs. */
export function Tag({ children, tone = '' }: { readonly children: string; readonly tone?: Status | 'other' | '' }) {
  const { format } = useServices()
  return (
    <span class={`tag ${tone}`}>
      <bdi>{format.visible(children)}</bdi>
    </span>
  )
}
