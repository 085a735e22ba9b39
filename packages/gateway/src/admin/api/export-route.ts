import { once } from 'node:events'
import type { StopSignal } from '@stickler/core'
import { abortSignalOf } from '@stickler/core/internal'
import type { Exchange, Route } from '../../front/exchange.ts'
import { apiHeaders, headerList } from '../../front/replies/reply-headers.ts'
import type { RunSummary } from '../../records/run/run-record.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { StoreQueries } from '../../records/store/store.ts'
import { exportDescription } from './run-descriptions.ts'
import { type NamedApi, owned, readRunFilter } from './runs-routes.ts'

const standardRows = 1000
const mostRows = 50_000
const rowsAtOnce = 200

const columns: Readonly<Record<string, (run: RunSummary) => string | number | boolean | undefined>> = {
  id: ({ id }) => id,
  // An invalid date would throw.
  at: ({ at }) => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined),
  request: ({ requestId }) => requestId,
  session: ({ session }) => session,
  api: ({ api }) => api,
  stream: ({ stream }) => stream,
  model: ({ model }) => model,
  upstream: ({ upstream }) => upstream,
  upstreamModel: ({ upstreamModel }) => upstreamModel,
  contract: ({ contract }) => contract,
  key: ({ key }) => key,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  httpStatus: ({ httpStatus }) => httpStatus,
  ms: ({ ms }) => ms,
  firstTextMs: ({ firstTextMs }) => firstTextMs,
  attempts: ({ attempts }) => attempts,
  issues: ({ issues }) => issues,
  fixed: ({ fixed }) => fixed,
  repairs: ({ repairs }) => repairs,
  promptTokens: ({ usage }) => usage.promptTokens,
  completionTokens: ({ usage }) => usage.completionTokens,
  cost: ({ usage }) => usage.cost,
  failure: ({ failure }) => failure?.kind,
}
const fill = Object.values(columns)

/** Makes the route that exports runs for spreadsheets. */
export function exportRoute(queries: Pick<StoreQueries, 'listRuns'>, apis: readonly NamedApi[]): Route {
  return {
    method: 'GET',
    path: '/api/v1/runs.csv',
    access: 'read',
    description: exportDescription,
    handler: (exchange) => sendRuns(exchange, queries, apis),
  }
}

async function sendRuns(exchange: Exchange, queries: Pick<StoreQueries, 'listRuns'>, apis: readonly NamedApi[]): Promise<void> {
  const { query, response, requestId, signal, method } = exchange
  const { limit: most, ...filter } = { ...readRunFilter(query, apis, standardRows, mostRows), ...owned(exchange.identity) }
  let left = most
  const nextPage = (next: { readonly before?: string }) =>
    askStore(queries.listRuns({ ...filter, ...next, limit: Math.min(left, rowsAtOnce) }))
  // Errors of the store are reported before the reply starts.
  let page = await nextPage({})
  const disposition = { 'content-disposition': 'attachment; filename="runs.csv"' }
  response.writeHead(200, headerList(apiHeaders, 'text/csv; charset=utf-8; header=present', requestId, disposition))
  if (method === 'HEAD') return void response.end()
  response.write(csvLine(Object.keys(columns)))
  for (;;) {
    if (signal.aborted || response.destroyed) return
    const rows = page.runs.slice(0, left)
    if (!response.write(rows.map((run) => csvLine(fill.map((column) => column(run)))).join(''))) await drained(response, signal)
    left -= rows.length
    if (left <= 0 || rows.length === 0 || page.next === undefined) break
    page = await nextPage({ before: page.next })
  }
  response.end()
}

async function drained(response: Exchange['response'], signal: StopSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: abortSignalOf(signal) })
  } catch {
    // The client disconnected; the loop notices.
  }
}

/** What spreadsheets read as the start of a formula, in full width too. */
const formulaStarts: ReadonlySet<string> = new Set(['=', '+', '-', '@', '|', '%', '\uff1d', '\uff0b', '\uff0d', '\uff20'])

/** Writes one line of CSV; texts that a spreadsheet would execute start with an apostrophe. */
export function csvLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}

function csvValue(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'boolean') return String(value)
  const safe = isFormula(value) ? `'${value}` : value
  return /[",;'\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Leading blanks and control characters do not make a formula harmless, and some start one
 * themselves.
 */
function isFormula(text: string): boolean {
  let start = 0
  while (start < text.length && text.charCodeAt(start) <= 0x20) start++
  return text.startsWith('\t') || text.startsWith('\r') || formulaStarts.has(text.charAt(start))
}
