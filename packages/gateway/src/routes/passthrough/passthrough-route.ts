import { once } from 'node:events'
import type { Fields } from '@stickler/core/internal'
import { HttpError, withheld, without } from '@stickler/core/internal/apis'
import * as z from 'zod'
import type { Exchange, Route } from '../../front/exchange.ts'
import { apiHeaders, headerList } from '../../front/replies/reply-headers.ts'
import { apiHeadersOf } from '../../front/request-id.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { bodyCostBound } from '../../requests/budgets/cost-bound.ts'
import { Request } from '../../requests/request.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import type { Target } from '../../requests/target.ts'
import { MultipartForm } from '../../upstreams/transport/multipart-form.ts'
import type { PassedReply } from '../../upstreams/upstream.ts'
import { targetOf } from '../models/model-route.ts'
import { refuseOtherPrices } from '../models/priced-fields.ts'
import { UsageSpotter } from './passthrough-usage.ts'

const names = withheld()

/** A body to pass through, and its fields. */
interface PassedBody {
  readonly body: Fields | MultipartForm
  readonly fields: Fields
}

/** Reads a body to pass through, without fields reserved for the gateway; a form stays bytes. */
async function readPassed(exchange: Exchange, takesForms: boolean): Promise<PassedBody> {
  const type = exchange.request.headers['content-type'] ?? ''
  if (!takesForms || !/^multipart\//i.test(type)) {
    const fields = await exchange.json()
    return { body: without(fields, names), fields }
  }
  const form = MultipartForm.read(await exchange.bytes(), type)
  if (form === undefined) throw new HttpError(400, 'The body is not a well-formed multipart/form-data.', { code: 'invalid_form' })
  const body = form.without(names)
  const fields = body.fields()
  if (Array.isArray(fields.model)) throw new HttpError(400, 'model must be given once', { param: 'model' })
  return { body, fields }
}

/** One pass-through path. */
export interface PassthroughPath {
  /** The path after `/v1` here, and after the base address there. */
  readonly path: string
  /** What it does, as one sentence in the imperative. */
  readonly summary: string
  /** Contracts apply to answers, not to data. */
  readonly carries: 'answers' | 'data'
  /** Whether a body may be a form, such as one with a file. */
  readonly takesForms?: boolean
  /** How errors are written; in OpenAI's format when absent. */
  readonly errors?: NonNullable<Route['errors']>
  /** What such errors look like. */
  readonly errorSchema?: z.ZodType
  /** Client headers of the API that are passed through. */
  readonly headers?: readonly string[]
}

/** Passes a reply through in chunks, as fast as the client reads. */
async function pass(exchange: Exchange, call: () => Promise<PassedReply> | undefined, spotter: UsageSpotter | undefined): Promise<void> {
  const { signal, requestId, response } = exchange
  const reply = await call()
  if (reply === undefined) return
  const headers = { ...reply.headers, 'x-stickler-status': 'unenforced', 'x-stickler-contract': '' }
  response.writeHead(reply.status, headerList(apiHeaders, reply.contentType, requestId, headers))
  spotter?.begin(reply.contentType)
  try {
    for await (const piece of reply.body) {
      spotter?.take(piece)
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  } catch (thrown) {
    // The status was sent: only a broken end shows that something is missing.
    response.destroy()
    if (!signal.aborted) exchange.log.warn({ requestId, err: thrown }, 'a passed-through reply broke off')
  }
}

function refuseUnenforced({ contractName, exemptApis }: Target, path: string): void {
  if (contractName === '' || exemptApis.has('completions')) return
  throw new HttpError(403, `The contract of this model cannot be enforced on ${path}; use /v1/chat/completions.`, {
    type: 'invalid_request_error',
    param: 'model',
    code: 'not_enforceable',
  })
}

/** The fields that the span conventions define. */
const operations: ReadonlyMap<string, string> = new Map([
  ['/completions', 'text_completion'],
  ['/embeddings', 'embeddings'],
])

/**
 * A route whose bodies pass through unchanged, marked as unenforced; one that carries answers is
 * rejected where a contract applies.
 */
export function passthroughRoute(passing: PassthroughPath, dependencies: RouteDependencies): Route {
  const { path: upstreamPath, carries, takesForms = false, errors, headers = [] } = passing
  const path = `/v1${upstreamPath}`

  async function passOn(exchange: Exchange, body: PassedBody['body'], fields: PassedBody['fields'], target: Target): Promise<void> {
    const { upstream } = target
    const operation = operations.get(upstreamPath) ?? upstreamPath.slice(1).replaceAll('/', '_')
    const request = new Request(exchange, operation, dependencies)
    const admission = request.admit((open) => ({ tokens: bodyCostBound(fields, carries, open), price: target.price }))
    if (admission !== undefined) await admission
    const { signal, requestId } = exchange
    const trace = request.begin()?.pass({
      operation,
      model: String(fields.model),
      places: target.places,
      body: fields,
      headers: exchange.headers,
      requestId,
    })
    const spotter = request.isReserved ? new UsageSpotter({ asked: fields, carries, price: target.price }) : undefined
    try {
      const traced = trace?.headers ?? request.headers
      const options = { signal, requestId, headers: traced, apiHeaders: apiHeadersOf(exchange.headers, headers) }
      await pass(exchange, () => upstream.pass?.(upstreamPath, body, options), spotter)
    } catch (thrown) {
      trace?.failed(thrown)
      throw thrown
    } finally {
      const usage = spotter?.usage()
      trace?.end(usage)
      await request.settle(usage)
      if (usage?.estimated) exchange.log.info({ requestId, ...usage }, 'the usage of a passed-through reply was estimated')
    }
  }

  return {
    method: 'POST',
    path,
    access: 'call',
    ...(errors && { errors }),
    description: () => descriptionOf(passing),
    async handler(exchange) {
      const { body, fields } = await readPassed(exchange, takesForms)
      const { model } = fields
      if (typeof model !== 'string' || model === '') throw new HttpError(400, 'model must be the name of a model', { param: 'model' })
      const settings = dependencies.current()
      const target = targetOf(model, { task: undefined }, settings)
      if (carries === 'answers') refuseUnenforced(target, path)
      refuseOtherPrices(fields, target)
      const { upstream } = target
      if (upstream.pass === undefined || upstream.passes?.(upstreamPath) === false)
        throw new HttpError(404, `The upstream of ${JSON.stringify(model)} has no ${upstreamPath}.`, {
          param: 'model',
          code: 'unsupported',
        })
      const end = settings.begin()
      try {
        await passOn(exchange, body, fields, target)
      } finally {
        end()
      }
      if (!exchange.response.destroyed) exchange.response.end()
    },
  }
}

/** The description of a pass-through route. */
function descriptionOf({ summary, takesForms = false, errorSchema }: PassthroughPath): RouteDescription {
  const body = z.looseObject({ model: z.string() })
  return {
    summary,
    notes: 'Passed to the provider unchanged, and marked with `x-stickler-status: unenforced`.',
    group: 'Models',
    body: { 'application/json': body, ...(takesForms ? { 'multipart/form-data': body } : {}) },
    replies: {
      200: {
        meaning: "The provider's answer.",
        content: { 'application/json': z.looseObject({}), 'text/event-stream': z.unknown(), '*/*': z.unknown() },
      },
    },
    ...(errorSchema && { errors: { 'application/json': errorSchema } }),
  }
}
