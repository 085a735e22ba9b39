import { type Ports, type Settled, settle } from '@stickler/core'
import { bodySchema, type Executor, hideArguments, requestContract, requireAnswer, settledData } from '@stickler/core/internal'
import { certificateSchema, issueSchema } from '@stickler/core/internal/apis'
import { validationHeader, withListedRepairs } from '@stickler/core/internal/relay'
import * as z from 'zod'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { findingNames, uncheckedSchema } from '../../records/run/finding-schemas.ts'
import { keptCalls } from '../../records/run/kept-calls.ts'
import type { RunRecord } from '../../records/run/run-record.ts'
import { keptValidation } from '../../records/run/stored-record.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { forCaller } from '../../requests/caller-ports.ts'
import { runRecord } from '../../requests/make-run-record.ts'
import { Request } from '../../requests/request.ts'
import type { RequestPorts } from '../../requests/request-ports.ts'
import { noUsage } from '../../requests/run-log.ts'
import { CheckContracts, type Contracts, type NamedContract } from './check-contracts.ts'
import { type CheckRequest, checkShape, readCheckRequest } from './check-request.ts'

/** What the route for checks needs. */
export interface CheckRouteParts extends RequestPorts {
  readonly contracts: Contracts
  /** The ports that validators get; never chosen by a client. */
  readonly ports?: () => Ports
  /** Judges large answers in another thread; when absent, all are judged in place. */
  readonly executor?: () => Executor
  /** Notes a check that uses them; the function returned is called when it is over. */
  readonly use?: () => () => void
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
      const end = parts.use?.()
      try {
        await handle(exchange, request, contracts, parts)
      } finally {
        end?.()
      }
    },
  }
}

async function handle(exchange: Exchange, sent: CheckRequest, contracts: CheckContracts, parts: CheckRouteParts): Promise<void> {
  const { clock } = parts
  const chosen = contracts.find(sent)
  requireAnswer(sent, chosen.contract)
  const request = new Request(exchange, 'check', parts)
  const started = clock.now()
  request.begin()
  const settled = withListedRepairs(await judgeAnswer(request, sent, chosen))
  // Checks that were aborted have no verdict, and the client has disconnected.
  if (exchange.signal.aborted) return
  const kept = request.record(recordOf(request, sent, chosen, settled, clock.now() - started))
  request.tell()
  await askStore(kept)
  const headers = {
    'x-stickler-status': settled.status,
    'x-stickler-attempts': 0,
    'x-stickler-contract': chosen.name,
    ...validationHeader(settled.validationStatus),
  }
  const { status, issues, fixed, repairs, ...rest } = settledData(settled, sent.answer, sent.rawToolCalls)
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

/** The record of a verdict on a given answer. */
export function recordOf(
  request: Request,
  { session }: Pick<Judged, 'session'>,
  { name, contract }: NamedContract,
  settled: Settled,
  ms: number,
  choice = 0,
): RunRecord {
  const { status, decision, text, validationStatus } = settled
  const record = runRecord(request, settled, {
    id: request.ports.newRunId(),
    choice,
    ms,
    stream: false,
    model: '',
    upstream: '',
    upstreamModel: '',
    contract: name,
    status,
    reason: decision.reason,
    httpStatus: 200,
    attempts: [],
    usage: noUsage,
  })
  record.text = text
  if (settled.toolCalls.length > 0) record.toolCalls = keptCalls(hideArguments(contract, settled.toolCalls))
  if (settled.skipped !== undefined) record.skipped = settled.skipped.join(', ')
  if (session !== undefined) record.session = session
  if (validationStatus) record.facts = { [keptValidation]: validationStatus }
  return record
}

/** An answer to judge, with what is recorded of it. */
export interface Judged extends Pick<CheckRequest, 'answer' | 'context'>, Partial<Pick<CheckRequest, 'asked' | 'request' | 'session'>> {}

/** Judges one answer of a request by all checks of a contract, or by those with these names; nothing is recorded yet. */
export function judgeAnswer(
  { caller: { caller, signal }, ports: parts }: Pick<Request<Exchange, CheckRouteParts>, 'caller' | 'ports'>,
  { answer, context, asked = {}, request }: Judged,
  { contract }: NamedContract,
  only?: readonly string[],
): Promise<Settled> {
  const { ports = () => ({}), executor, clock } = parts
  const made = forCaller({ ports: ports(), executor: executor?.() }, caller)
  return settle(requestContract(contract, asked), answer, {
    context,
    request: { api: 'check', ...request },
    ...made,
    signal,
    clock,
    ...(only && { only }),
  })
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
    skipped: z.array(z.string()).optional(),
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
