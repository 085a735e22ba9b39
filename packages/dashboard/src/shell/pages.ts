import type { ComponentType } from 'preact'
import { nameIn } from '../app/router.ts'
import type { IconName } from '../components/icon.tsx'
import { lazy } from '../components/lazy.tsx'

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

/** All rooms, in the order of the rail; each is loaded when it is opened. */
export const rooms: readonly Room[] = [
  {
    path: '',
    title: 'Overview',
    icon: 'overview',
    letter: 'o',
    list: lazy(async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage),
  },
  {
    path: 'runs',
    title: 'Runs',
    icon: 'runs',
    letter: 'r',
    list: lazy(async () => (await import('../pages/runs/runs-page.tsx')).RunsPage),
    one: lazy(async () => (await import('../pages/run/run-page.tsx')).RunPage),
  },
  {
    path: 'sessions',
    title: 'Sessions',
    icon: 'sessions',
    letter: 's',
    list: lazy(async () => (await import('../pages/sessions/sessions-page.tsx')).SessionsPage),
    one: lazy(async () => (await import('../pages/sessions/session-page.tsx')).SessionPage),
  },
  {
    path: 'contracts',
    title: 'Contracts',
    icon: 'contracts',
    letter: 'c',
    isForOperators: true,
    list: lazy(async () => (await import('../pages/contracts/contracts-page.tsx')).ContractsPage),
    one: lazy(async () => (await import('../pages/contracts/contract-page.tsx')).ContractPage),
  },
  {
    path: 'evaluations',
    title: 'Evaluations',
    icon: 'evaluations',
    letter: 'e',
    isForOperators: true,
    list: lazy(async () => (await import('../pages/evaluations/evaluations-page.tsx')).EvaluationsPage),
    one: lazy(async () => (await import('../pages/evaluations/evaluation-page.tsx')).EvaluationPage),
  },
  {
    path: 'upstreams',
    title: 'Upstreams',
    icon: 'upstreams',
    letter: 'u',
    isForOperators: true,
    list: lazy(async () => (await import('../pages/upstreams/upstreams-page.tsx')).UpstreamsPage),
  },
  {
    path: 'keys',
    title: 'Keys',
    icon: 'keys',
    letter: 'k',
    isForOperators: true,
    list: lazy(async () => (await import('../pages/keys/keys-page.tsx')).KeysPage),
  },
]

/** The room and the name that a path leads to. */
export function findRoom(path: string): { readonly room: Room; readonly name?: string } | undefined {
  const [, first = '', second, ...rest] = path.split('/')
  const room = rooms.find((one) => one.path === first)
  if (room === undefined || rest.length > 0) return undefined
  if (second === undefined || second === '') return { room }
  if (room.one === undefined) return undefined
  try {
    return { room, name: nameIn(second) }
  } catch {
    return undefined
  }
}
