import { type Clock, type Ports, type Settled, settle, settledData } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import { bodySchema, requireAnswer } from '@stickler/core/runners'
import { certificateSchema, issueSchema } from '@stickler/core/wire'
import * as z from 'zod'
import { validationHeader } from '../../apis/shared/validation-status.ts'
import { forCaller } from '../../enforcement/for-caller.ts'
import { withListedRepairs } from '../../enforcement/listed-repairs.ts'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import type { MetricsSink } from '../../observe/metrics/metrics-sink.ts'
import { findingNames, uncheckedSchema } from '../../records/run/finding-schemas.ts'
import { keptValidation } from '../../records/run/kept-validation.ts'
import type { Recorder, RunRecord } from '../../records/run/run-record.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { CheckContracts, type NamedContract } from './check-contracts.ts'
import { type CheckRequest, checkShape, readCheckRequest } from './check-request.ts'
import type { Contracts } from './contracts-route.ts'

/** What the route for checks needs. */
export interface CheckRouteParts {
  readonly contracts: Contracts
  readonly recorder: Pick<Recorder, 'run'>
  readonly metrics: Pick<MetricsSink, 'run'>
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Makes ids of runs, which sort by time. */
  readonly newId: () => string
  /** The ports that validators get; never chosen by a client. */
  readonly ports?: () => Ports
  /** Called with every check. */
  readonly tell?: (record: RunRecord) => void
  /** Judges large answers in another thread; when absent, all are judged in place. */
  readonly executor?: () => Executor
  /** Notes a check that uses them; the function returned is called when it is over. */
  readonly begin?: () => () => void
}

/** Makes the route that checks a given answer without a model; every verdict is a 200. */
export function checkRoute(parts: CheckRouteParts): Route {
  const contracts = new CheckContracts(parts.contracts)
  return {
    method: 'POST',
    path: '/v1/check',
    access: 'call',
    description: checkDescription,
    async handler(exchange) {
      const request = readCheckRequest(await exchange.json())
      const end = parts.begin?.()
      try {
        await handle(exchange, request, contracts, parts)
      } finally {
        end?.()
      }
    },
  }
}

async function handle(
  exchange: Exchange,
  request: ReturnType<typeof readCheckRequest>,
  contracts: CheckContracts,
  parts: CheckRouteParts,
): Promise<void> {
  const { clock, recorder, metrics } = parts
  const chosen = contracts.find(request)
  requireAnswer(request, chosen.contract)
  const started = clock.now()
  const at = parts.now()
  const settled = withListedRepairs(
    await settle(chosen.contract, request.answer, {
      context: request.context,
      ...forCaller({ ports: parts.ports?.() ?? {}, executor: parts.executor?.() }, exchange.caller),
      signal: exchange.signal,
      clock,
    }),
  )
  // Checks that were aborted have no verdict, and the client has disconnected.
  if (exchange.signal.aborted) return
  const record = recordOf(exchange, request, chosen, settled, { id: parts.newId(), at, ms: clock.now() - started })
  metrics.run(record)
  parts.tell?.(record)
  await askStore(recorder.run(record))
  const headers = {
    'x-stickler-status': settled.status,
    'x-stickler-attempts': 0,
    'x-stickler-contract': chosen.name,
    ...validationHeader(settled.validationStatus),
  }
  const { status, issues, fixed, repairs, ...rest } = settledData(settled, request.answer, request.rawToolCalls)
  const data = {
    status,
    issues,
    ...(fixed === undefined ? {} : { fixed }),
    repairs,
    text: settled.text,
    facts: {},
    ...rest,
    contract: chosen.name,
  }
  sendJson(exchange, 200, data, headers)
}

function recordOf(
  { requestId, identity }: Exchange,
  { session }: CheckRequest,
  { name }: NamedContract,
  { status, decision, issues, unchecked, fixed, repairs, text, validationStatus }: Settled,
  known: Pick<RunRecord, 'id' | 'at' | 'ms'>,
): RunRecord {
  return {
    ...known,
    requestId,
    choice: 0,
    ...(session === undefined ? {} : { session }),
    api: 'check',
    stream: false,
    model: '',
    upstream: '',
    upstreamModel: '',
    contract: name,
    key: identity.key,
    status,
    reason: decision.reason,
    httpStatus: 200,
    attempts: [],
    issues,
    fixed,
    repairs,
    unchecked,
    usage: { promptTokens: 0, completionTokens: 0 },
    ...(validationStatus ? { facts: { [keptValidation]: validationStatus } } : {}),
    text,
  }
}

/** The route that checks a given answer. */
function checkDescription(): RouteDescription {
  const verdict = z.looseObject({
    status: z.string(),
    contract: z.string(),
    issues: z.array(issueSchema.partial({ validator: true })),
    fixed: z.array(issueSchema.partial({ validator: true })).optional(),
    repairs: z.array(certificateSchema),
    text: z.string(),
    facts: z.looseObject({}),
    unchecked: z.array(uncheckedSchema).optional(),
    validation_status: z.string().optional(),
  })
  return {
    summary: 'Check a given answer without a model.',
    notes: 'Every verdict is a 200, including failures.',
    group: 'Checks',
    body: { 'application/json': bodySchema(checkShape) },
    replies: { 200: { meaning: 'The verdict.', content: { 'application/json': verdict } } },
    names: findingNames,
  }
}
