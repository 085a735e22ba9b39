import { isFields, parseJson, systemClock, valueAt } from '@stickler/core/internal'
import type { FoundRun, ListedRun, RunPage, RunReader, Summary } from '@stickler/gateway/internal'
import { UnreachableError, UsageError } from '../errors.ts'
import { clip } from '../terminal/text.ts'

/** How to reach a gateway. */
interface GatewayReaderOptions {
  readonly url: string
  readonly key: string | undefined
  readonly keyEnv: string
  readonly signal: AbortSignal
}

const patienceMs = 30_000
const largestReply = 64 * 1024 * 1024

/** Reads runs from the admin API of a running gateway. */
export function gatewayReader(options: GatewayReaderOptions): RunReader {
  const base = baseOf(options.url)
  const ask = (path: string, query: object = {}): Promise<unknown> => {
    const address = new URL(`${base.pathname.endsWith('/') ? base.pathname.slice(0, -1) : base.pathname}/api/v1/${path}`, base)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value))
    return askGateway(address, options)
  }
  return {
    async listRuns({ before, owner: _owner, ...filter }) {
      const page = await ask('runs', { ...filter, cursor: before })
      if (!isFields(page) || !Array.isArray(page.items)) throw notStickler(base)
      return { runs: page.items as ListedRun[], ...(typeof page.next === 'string' ? { next: page.next } : {}) } satisfies RunPage
    },
    async getRun(id) {
      const run = await ask(`runs/${encodeURIComponent(id)}`)
      if (run !== undefined && !(isFields(run) && Array.isArray(run.attempts))) throw notStickler(base)
      return run as FoundRun | undefined
    },
    async summary({ owner: _owner, ...query }) {
      const summary = await ask('summary', query)
      if (summary === undefined) throw new UsageError(`the gateway at ${base.origin} is older than this command: it has no summary of runs`)
      if (!isFields(summary) || !Array.isArray(summary.contracts)) throw notStickler(base)
      return summary as unknown as Summary
    },
    close: async () => {},
  }
}

function baseOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new UsageError('--url is an address such as http://127.0.0.1:8787')
  if (address.username !== '' || address.password !== '')
    throw new UsageError('--url must not contain a user or password; set the key in the environment')
  return address
}

/** Undefined for 404; keys and replies are never repeated in full. */
async function askGateway(address: URL, { key, keyEnv, signal }: GatewayReaderOptions): Promise<unknown> {
  const late = new AbortController()
  const cancel = systemClock.after(patienceMs, () => late.abort())
  try {
    const headers = { accept: 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
    const response = await fetch(address, { headers, redirect: 'error', signal: AbortSignal.any([late.signal, signal]) })
    const text = await readText(response)
    if (response.status === 404) return undefined
    if (response.ok) return JSON.parse(text) as unknown
    throw refusal(response.status, text, keyEnv, key !== undefined)
  } catch (error) {
    if (signal.aborted || error instanceof UsageError || error instanceof UnreachableError) throw error
    if (error instanceof SyntaxError) throw notStickler(address)
    const cause = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : ''
    throw new UnreachableError(
      `cannot reach the gateway at ${address.origin}: ${late.signal.aborted ? 'no answer in time' : 'no connection'}${cause}`,
    )
  } finally {
    cancel()
  }
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > largestReply) throw new UnreachableError('the reply of the gateway is too large; narrow the query with --since or --limit')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function refusal(status: number, text: string, keyEnv: string, hasKey: boolean): Error {
  if (status === 401)
    return new UsageError(hasKey ? `the gateway does not accept the key in ${keyEnv}` : `the gateway needs a key; set ${keyEnv}`)
  const message = `the gateway answers ${status}: ${clip(messageOf(text), 300)}`
  return status >= 500 ? new UnreachableError(message) : new UsageError(message)
}

function messageOf(text: string): string {
  const message = valueAt(parseJson(text), ['error', 'message'])
  return typeof message === 'string' ? message : text
}

function notStickler({ origin }: URL): UsageError {
  return new UsageError(`${origin} does not serve the admin API of a gateway`)
}
