import type { ComponentType } from 'preact'
import type { IconName } from '../components/icon.tsx'
import { ContractPage } from '../pages/contracts/contract-page.tsx'
import { ContractsPage } from '../pages/contracts/contracts-page.tsx'
import { EvaluationPage } from '../pages/evaluations/evaluation-page.tsx'
import { EvaluationsPage } from '../pages/evaluations/evaluations-page.tsx'
import { KeysPage } from '../pages/keys/keys-page.tsx'
import { OverviewPage } from '../pages/overview/overview-page.tsx'
import { RunPage } from '../pages/run/run-page.tsx'
import { RunsPage } from '../pages/runs/runs-page.tsx'
import { SessionPage } from '../pages/sessions/session-page.tsx'
import { SessionsPage } from '../pages/sessions/sessions-page.tsx'
import { UpstreamsPage } from '../pages/upstreams/upstreams-page.tsx'

/** One room of the dashboard: its entry in the rail, its list, and the page of one thing in it. */
export interface Room {
  /** First part of the path; empty for the overview. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** The letter after `g` that opens it. */
  readonly letter: string
  readonly isForOperators?: boolean
  readonly list: ComponentType
  readonly one?: ComponentType<{ readonly name: string }>
}

/** All rooms, in the order of the rail. */
export const rooms: readonly Room[] = [
  { path: '', title: 'Overview', icon: 'overview', letter: 'o', list: OverviewPage },
  { path: 'runs', title: 'Runs', icon: 'runs', letter: 'r', list: RunsPage, one: RunPage },
  { path: 'sessions', title: 'Sessions', icon: 'sessions', letter: 's', list: SessionsPage, one: SessionPage },
  { path: 'contracts', title: 'Contracts', icon: 'contracts', letter: 'c', isForOperators: true, list: ContractsPage, one: ContractPage },
  {
    path: 'evaluations',
    title: 'Evaluations',
    icon: 'evaluations',
    letter: 'e',
    isForOperators: true,
    list: EvaluationsPage,
    one: EvaluationPage,
  },
  { path: 'upstreams', title: 'Upstreams', icon: 'upstreams', letter: 'u', isForOperators: true, list: UpstreamsPage },
  { path: 'keys', title: 'Keys', icon: 'keys', letter: 'k', isForOperators: true, list: KeysPage },
]

/** The room and the name that a path leads to. */
export function findRoom(path: string): { readonly room: Room; readonly name?: string } | undefined {
  const [, first = '', second, ...rest] = path.split('/')
  const room = rooms.find((one) => one.path === first)
  if (room === undefined || rest.length > 0) return undefined
  if (second === undefined || second === '') return { room }
  if (room.one === undefined) return undefined
  try {
    return { room, name: decodeURIComponent(second) }
  } catch {
    return undefined
  }
}
