import { generatedCode } from '@stickler/ask/internal'
import type { Clock } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import type { GrpcConfig, ServerConfig } from '../../config/resolved/gateway-config.ts'
import { readGrpcTls } from '../../config/resolved/grpc-config.ts'
import { type Keyring, onlyRole } from '../../front/access/keys.ts'
import type { Logger } from '../../front/log.ts'
import type { RequestCount } from '../../front/request-count.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { definitionOf } from '../../services/contracts/pipeline-contracts.ts'
import { auditRefusal } from '../ask/ask-audit.ts'
import type { AskTargets } from '../ask/ask-targets.ts'
import { type AskCaller, Question } from '../ask/question.ts'
import type { CallEnd } from './grpc-call.ts'
import { openQuestionServer, type QuestionServer } from './question-server.ts'

/** The parts of a gateway that questions over gRPC use. */
interface GrpcListenerParts {
  /** The current configuration. */
  server(): ServerConfig
  /** The currently valid keys. */
  readonly keys: Keyring
  /** The current settings for questions. */
  asking(): AskTargets | undefined
  readonly dependencies: RouteDependencies
  readonly metrics: { request(count: RequestCount): void }
  /** Called at the end of every call. */
  changed(): void
  readonly log: Logger
  readonly clock: Clock
  readonly newId: () => string
}

/** Serves questions over gRPC as configured. Throws a ConfigurationError when it cannot listen. */
export async function openGrpcListener(grpc: GrpcConfig, parts: GrpcListenerParts): Promise<QuestionServer> {
  const { server, keys, asking, dependencies, clock, newId } = parts
  return openQuestionServer({
    host: grpc.host,
    port: grpc.port,
    tls: await readGrpcTls(grpc),
    messageLimit: server().bodyLimit,
    inFlight: () => server().inFlight,
    perCaller: () => server().perKey.concurrency,
    // Operators then have a separate listener, as over HTTP.
    keys: server().admin === undefined ? keys : onlyRole(keys, 'client'),
    clock,
    newId,
    answer: (caller, question, streaming) => {
      const settings = asking()
      if (settings?.pipeline === undefined) throw new HttpError(404, 'Questions over gRPC are not configured; `ask` has no `pipeline`.')
      return new Question(caller, question, settings, dependencies, 'grpc').answer(streaming)
    },
    codeOf(answer) {
      const pipeline = asking()?.pipeline
      return pipeline === undefined ? '' : generatedCode(answer, definitionOf(pipeline.name))
    },
    async refused(caller, query, thrown) {
      const settings = asking()
      const { today } = dependencies
      if (settings !== undefined) await auditRefusal(caller, query === '' ? {} : { question: query }, thrown, { ...settings, today })
    },
    ended: (caller, end) => noteEnd(caller, end, parts),
  })
}

function noteEnd({ requestId, identity, ending, startedAt }: AskCaller, { status, thrown }: CallEnd, parts: GrpcListenerParts): void {
  const { metrics, changed, log, clock } = parts
  const { contract, outcome } = ending ?? {}
  metrics.request({
    api: 'grpc',
    status,
    ...(contract === undefined ? {} : { contract }),
    ...(status === 499 ? { outcome: 'error' } : outcome === undefined ? {} : { outcome }),
  })
  changed()
  if (thrown !== undefined) log.error({ requestId, ...identity, err: thrown }, 'the request failed')
  if (!log.isLevelEnabled('debug')) return
  log.debug(
    {
      requestId,
      ...identity,
      route: 'grpc',
      status,
      ms: Math.round(clock.now() - startedAt),
      event: status === 499 ? 'aborted' : 'answered',
    },
    'request',
  )
}
