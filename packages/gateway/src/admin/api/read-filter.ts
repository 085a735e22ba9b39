import { runStatuses } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { ownerOf } from '../../front/access/roles.ts'
import type { Identity } from '../../front/exchange.ts'
import { ownWays } from '../../records/run/run-record.ts'
import type { RunFilter, RunMatch } from '../../records/store/queries/run-filter.ts'
import type { SessionFilter } from '../../records/store/queries/session-queries.ts'
import { badParameter, pageParameters, present, QueryReader } from './query-reader.ts'

const labels = ['good', 'bad'] as const
const classes = ['lossless', 'lossy', 'guess'] as const
/** The parameters that rollups know, and that may be given several times. */
const dimensions = ['contract', 'model', 'upstream', 'key', 'status', 'api'] as const
const others = ['session', 'code', 'validator', 'rule', 'class', 'label'] as const

/** A filter for the API of a run. */
interface NamedApi {
  readonly name: string
}

/** What reading a filter needs to know of the gateway. */
export interface FilterSettings {
  readonly apis: readonly NamedApi[]
  /** Whether texts are kept, so that they can be searched; they are when absent. */
  keepsText?(): boolean
}

/** The part of a filter that limits clients to their own runs. */
export function owned(identity: Identity): { readonly owner?: string } {
  return present({ owner: ownerOf(identity) })
}

/** Reads which runs are wanted. */
export function readRunFilter(
  query: URLSearchParams,
  settings: FilterSettings,
  standard: number,
  most: number,
): RunFilter & { readonly limit: number } {
  const reader = new QueryReader(query, [...pageParameters, 'since', 'until', 'q'], [...dimensions, ...others])
  const q = reader.text('q')
  if (q !== undefined && settings.keepsText?.() === false) throw textsNotKept()
  return present({ ...reader.page(standard, most), ...readMatch(reader, settings), q })
}

/** Reads which runs to follow, and from where. */
export function readLiveFilter(query: URLSearchParams, settings: FilterSettings): { readonly match: RunMatch; readonly cursor?: string } {
  const reader = new QueryReader(query, ['cursor', 'since', 'until'], [...dimensions, ...others])
  return present({ match: readMatch(reader, settings), cursor: reader.cursor('cursor') })
}

/** Reads which sessions are wanted: those whose last run is in a period, and that have a run with all of the names. */
export function readSessionFilter(query: URLSearchParams, settings: FilterSettings, standard: number, most: number): SessionFilter {
  const reader = new QueryReader(query, [...pageParameters, 'since', 'until'], dimensions)
  return present({ ...reader.page(standard, most), ...readMatch(reader, settings) })
}

/** Reads the filters of sums, which know only some of them. */
export function readSumsFilter(
  query: URLSearchParams,
  settings: FilterSettings,
): Pick<RunMatch, 'since' | 'until' | (typeof dimensions)[number]> {
  return readMatch(new QueryReader(query, ['since', 'until'], dimensions), settings)
}

function readMatch(reader: QueryReader, { apis }: FilterSettings): RunMatch {
  const times = { since: reader.time('since'), until: reader.time('until') }
  if (times.since !== undefined && times.until !== undefined) checkOrder(times.since, times.until)
  const names = (['contract', 'model', 'upstream', 'key', 'session', 'code', 'validator', 'rule'] as const).map(
    (name) => [name, reader.anyOf(name)] as const,
  )
  return present({
    ...times,
    ...Object.fromEntries(names),
    status: reader.anyWord('status', runStatuses),
    api: reader.anyWord('api', [...ownWays, ...apis.map(({ name }) => name)]),
    class: reader.anyWord('class', classes),
    label: reader.anyWord('label', labels),
  }) as RunMatch
}

/** Rejects a period that ends before it begins. */
export function checkOrder(since: number, until: number): void {
  if (since >= until) throw badParameter('until', '"until" must be later than "since".')
}

function textsNotKept(): HttpError {
  return new HttpError(400, 'Texts are not kept, so they cannot be searched; set store.keepText to keep them.', {
    param: 'q',
    code: 'texts_not_kept',
  })
}
