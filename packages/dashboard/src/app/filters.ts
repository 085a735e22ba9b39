import { type Me, statuses } from '../api/types.ts'
import { periodParameters, readPeriod } from './period.ts'
import { changed, withQuery } from './router.ts'

/** A filter of runs: a parameter of the API, and of the page. */
export interface Filter {
  readonly name: string
  readonly title: string
  /** The values that are offered; others may be typed. */
  values(me: Me): readonly string[]
}

/** All filters but time and text. */
export const filters: readonly Filter[] = [
  { name: 'status', title: 'Status', values: () => statuses },
  { name: 'contract', title: 'Contract', values: ({ contracts }) => contracts },
  { name: 'model', title: 'Model', values: ({ models }) => models },
  { name: 'upstream', title: 'Upstream', values: ({ upstreams }) => upstreams },
  { name: 'key', title: 'Key', values: ({ keys }) => keys ?? [] },
  { name: 'session', title: 'Session', values: () => [] },
  { name: 'api', title: 'API', values: ({ apis }) => apis },
  { name: 'validator', title: 'Validator', values: () => [] },
  { name: 'code', title: 'Code', values: () => [] },
  { name: 'class', title: 'Repair class', values: () => ['lossless', 'lossy', 'guess'] },
  { name: 'rule', title: 'Repair rule', values: () => [] },
  { name: 'label', title: 'Label', values: () => ['good', 'bad'] },
]

/** The filters of an address, text included, for the API. */
export function readFilters(query: URLSearchParams): URLSearchParams {
  const found = new URLSearchParams()
  for (const { name } of [...filters, { name: 'q' }]) {
    for (const value of new Set(query.getAll(name))) if (value !== '') found.append(name, value)
  }
  return found
}

/** The address of runs with filters, in the period of this address. */
export function runsAddress(query: URLSearchParams, values: Readonly<Record<string, string | readonly string[]>>): string {
  return withQuery('/runs', changed(new URLSearchParams(), { ...periodParameters(readPeriod(query)), ...values }))
}
