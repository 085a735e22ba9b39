import type { Page, RunRow } from './types.ts'

/** A session in a list. */
export interface Session {
  readonly session: string
  readonly firstAt: number
  readonly lastAt: number
  readonly runs: number
  readonly statuses: Readonly<Record<string, number>>
}

/** A session with its steps and newest runs. */
export interface SessionDetail extends Session {
  readonly step?: string
  readonly steps: readonly { readonly step: string; readonly at: number; readonly inferred?: true }[]
  readonly status: string
  readonly firstRequest?: string
  readonly newest: Page<RunRow & { readonly facts?: Readonly<Record<string, string>> }>
}
