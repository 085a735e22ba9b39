import { once } from 'node:events'
import type { StopSignal } from '@stickler/core'
import { abortSignalOf, keptCallFields } from '@stickler/core/internal'
import type { Exchange, Identity, Route } from '../../front/exchange.ts'
import { apiHeaders, headerList } from '../../front/replies/reply-headers.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { ListedRun } from '../../records/store/queries/listed-run.ts'
import type { RunTexts } from '../../records/store/queries/run-texts.ts'
import type { StoreQueries } from '../../records/store/store.ts'
import { type FilterSettings, owned, readRunFilter } from './read-filter.ts'
import { exportDescription } from './run-descriptions.ts'

const standardRows = 1000
const mostRows = 50_000

const columns: Readonly<Record<string, (run: ListedRun) => string | number | boolean | undefined>> = {
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
  addedMs: ({ addedMs }) => addedMs,
  attempts: ({ attempts }) => attempts,
  issues: ({ issues }) => issues,
  fixed: ({ fixed }) => fixed,
  repairs: ({ repairs }) => repairs,
  promptTokens: ({ usage }) => usage.promptTokens,
  completionTokens: ({ usage }) => usage.completionTokens,
  cost: ({ usage }) => usage.cost,
  failure: ({ failure }) => failure?.kind,
  label: ({ label }) => label,
}
const fill = Object.values(columns)

/** The queries of an export. */
type ExportQueries = Pick<StoreQueries, 'listRuns' | 'runTexts'>

/** How runs are written. */
interface ExportFormat {
  readonly file: string
  readonly contentType: string
  head(): string
  /** Runs of one query: few where their texts are read too. */
  readonly rowsAtOnce: number
  lines(runs: readonly ListedRun[], queries: ExportQueries, identity: Identity): Promise<string>
}

const csv: ExportFormat = {
  file: 'runs.csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  head: () => csvLine(Object.keys(columns)),
  rowsAtOnce: 200,
  lines: async (runs) => runs.map((run) => csvLine(fill.map((column) => column(run)))).join(''),
}

const jsonLines: ExportFormat = {
  file: 'runs.jsonl',
  contentType: 'application/jsonl; charset=utf-8',
  head: () => '',
  rowsAtOnce: 20,
  async lines(runs, queries, { role }) {
    const texts = await askStore(queries.runTexts(runs))
    return runs.map((run) => `${JSON.stringify(caseOf(run, texts.get(run.id) ?? {}, role !== 'client'))}\n`).join('')
  },
}

/** A run as `stickler check --jsonl` reads answers, with what else is known of it. */
function caseOf(run: ListedRun, texts: RunTexts, forOperators: boolean): object {
  const { text, question, finishReason, note: written, toolCalls, context, missing } = texts
  // Notes are written by operators, for operators.
  const note = forOperators ? written : undefined
  const { id, at, contract, model, upstream, key, session, api, status, reason, label, codes, attempts, repairs, ms } = run
  const answer = { text, ...keptCallFields(toolCalls, context), question, finish_reason: finishReason, missing }
  return { id, at, ...answer, contract, model, upstream, key, session, api, status, reason, label, note, codes, attempts, repairs, ms }
}

/** Makes the routes that export runs: for spreadsheets, and as JSON Lines. */
export function exportRoutes(queries: ExportQueries, settings: FilterSettings): readonly Route[] {
  const route = (format: ExportFormat, summary: string, meaning: string): Route => ({
    method: 'GET',
    path: `/api/v1/${format.file}`,
    access: 'read',
    description: () => exportDescription(format.contentType.split(';', 1)[0] ?? '', summary, meaning),
    handler: (exchange) => sendRuns(exchange, queries, settings, format),
  })
  return [
    route(csv, 'Export runs for spreadsheets.', 'One line for each run, with a header.'),
    route(jsonLines, 'Export runs as JSON Lines, which `stickler check --jsonl` reads.', 'One JSON object for each run.'),
  ]
}

async function sendRuns(exchange: Exchange, queries: ExportQueries, settings: FilterSettings, format: ExportFormat): Promise<void> {
  const { query, response, requestId, signal, method } = exchange
  const { limit: most, ...filter } = { ...readRunFilter(query, settings, standardRows, mostRows), ...owned(exchange.identity) }
  let left = most
  const nextPage = (next: { readonly before?: string }) =>
    askStore(queries.listRuns({ ...filter, ...next, limit: Math.min(left, format.rowsAtOnce) }))
  // Errors of the store are reported before the reply starts.
  let page = await nextPage({})
  const disposition = { 'content-disposition': `attachment; filename="${format.file}"` }
  response.writeHead(200, headerList(apiHeaders, format.contentType, requestId, disposition))
  if (method === 'HEAD') return void response.end()
  response.write(format.head())
  for (;;) {
    if (signal.aborted || response.destroyed) return
    const rows = page.runs.slice(0, left)
    if (!response.write(await format.lines(rows, queries, exchange.identity))) await drained(response, signal)
    left -= rows.length
    if (left <= 0 || page.next === undefined) break
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
