import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFields, parseJson } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { readRegularFile } from '@stickler/node/internal/files'
import * as z from 'zod'
import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { listRunning, runningSchema } from './running-evaluations.ts'

/** A report as lists show it. */
interface EvaluationSummary {
  readonly id: string
  /** When the file was written, in milliseconds since 1970. */
  readonly at: number
  readonly bytes: number
  readonly [field: string]: unknown
}

const suffix = '.json'
const mostReports = 200
const largestReport = 32 * 1024 * 1024
/** Larger reports are listed without what they say of themselves. */
const largestListed = 4 * 1024 * 1024
const idPattern = /^[\w][\w.-]{0,127}$/
const longestText = 300

/** Makes the routes of reports that `stickler eval` wrote into a folder. */
export function evaluationRoutes(folder: () => string | undefined, now: () => number): readonly Route[] {
  const summaries: Summaries = new Map()
  return [
    {
      method: 'GET',
      path: '/api/v1/evaluations',
      access: 'operate',
      description: listDescription,
      handler: async (exchange) =>
        sendJson(exchange, 200, { items: await listReports(folder(), summaries), running: await listRunning(folder(), now()) }),
    },
    {
      method: 'GET',
      path: '/api/v1/evaluations/:id',
      access: 'operate',
      description: reportDescription,
      handler: async (exchange) => sendJson(exchange, 200, await readReport(folder(), exchange.params.id ?? '')),
    },
  ]
}

/** What reports say of themselves, by path, time and size, so that each is parsed once. */
type Summaries = Map<string, object>

async function listReports(folder: string | undefined, summaries: Summaries): Promise<readonly EvaluationSummary[]> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith(suffix) && idPattern.test(name.slice(0, -suffix.length)))
  const found = await Promise.all(
    files.map(async (name) => {
      const file = await stat(join(folder ?? '', name)).catch(() => undefined)
      if (!file?.isFile()) return []
      const one = { id: name.slice(0, -suffix.length), at: Math.trunc(file.mtimeMs), bytes: file.size }
      return [{ one, key: JSON.stringify([folder, name, file.mtimeMs, file.size]) }]
    }),
  )
  const newest = found
    .flat()
    .sort(({ one: a }, { one: b }) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .slice(0, mostReports)
  const items: EvaluationSummary[] = []
  const listed = new Set(newest.map(({ key }) => key))
  for (const key of summaries.keys()) if (!listed.has(key)) summaries.delete(key)
  for (const { one, key } of newest) {
    const said = summaries.get(key) ?? (one.bytes <= largestListed ? await summaryOf(folder ?? '', one.id) : {})
    summaries.set(key, said)
    items.push({ ...said, ...one })
  }
  return items
}

/** The short members of a report, such as its contract and number of answers. */
async function summaryOf(folder: string, id: string): Promise<object> {
  const report = parseJson(await readRegularFile(join(folder, id + suffix), largestListed).catch(() => ''))
  if (!isFields(report)) return {}
  const isShort = (value: unknown): boolean =>
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= longestText) ||
    (isFields(value) && Object.keys(value).length <= 20 && Object.values(value).every((one) => typeof one === 'number'))
  return Object.fromEntries(
    Object.entries(report)
      .filter(([, value]) => isShort(value))
      .slice(0, 50),
  )
}

async function readReport(folder: string | undefined, id: string): Promise<object> {
  const path = folder === undefined || !idPattern.test(id) ? undefined : join(folder, id + suffix)
  const file = path === undefined ? undefined : await stat(path).catch(() => undefined)
  if (path === undefined || !file?.isFile())
    throw new HttpError(404, 'There is no report with this id.', { param: 'id', code: 'not_found' })
  if (file.size > largestReport)
    throw new HttpError(413, `The report has more than ${largestReport} bytes; read its file.`, { param: 'id', code: 'report_too_large' })
  const report = parseJson(await readRegularFile(path, largestReport).catch(() => ''))
  if (isFields(report)) return report
  throw new HttpError(422, 'The file of this report is not a JSON object.', { param: 'id', code: 'report_unreadable' })
}

function listDescription(): RouteDescription {
  const item = z.looseObject({ id: z.string(), at: z.number(), bytes: z.int() })
  const content = { 'application/json': z.looseObject({ items: z.array(item), running: z.array(runningSchema()) }) }
  return described(
    'List reports of evaluations, the newest first.',
    'The reports in `evaluations` in the folder of the store, and the evaluations that have not ended.',
    content,
  )
}

function reportDescription(): RouteDescription {
  return described('Get one report of an evaluation.', 'The report.', { 'application/json': z.looseObject({}) })
}

function described(summary: string, meaning: string, content: Readonly<Record<string, z.ZodType>>): RouteDescription {
  return { summary, group: 'Operation', replies: { 200: { meaning, content } } }
}
