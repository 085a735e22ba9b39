import { type Clock, ConfigurationError } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import type { GatewayConfig } from '@stickler/gateway'
import { type IndexProbe, isLoopback, StoreUnavailable } from '@stickler/gateway/internal'
import type { Platform } from '../serve/node-platform.ts'
import { count } from '../terminal/text.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

const limitMs = 10_000

/** Probes all that the gateway needs outside of its process, concurrently, each for a limited time. */
export async function inspectServices(config: GatewayConfig, platform: Platform, signal: AbortSignal): Promise<DoctorFinding[]> {
  const limit = limited(signal, platform.clock)
  try {
    const inspections = [inspectUpstreams, inspectParser, inspectRules, inspectIndex, inspectGrpc, inspectStore]
    return (await Promise.all(inspections.map((inspect) => inspect(config, platform, limit)))).flat()
  } finally {
    limit.release()
  }
}

async function inspectUpstreams(config: GatewayConfig, { probeUpstreams }: Platform, limit: Limit): Promise<DoctorFinding[]> {
  try {
    const probes = await probeUpstreams(config, limit.signal)
    return await Promise.all(
      probes.map(async ({ name, result }) => {
        const found = config.upstreams.find((upstream) => upstream.name === name)
        return describe(`upstream ${name}`, found?.shown ?? '', await limit.hold(result), found?.record.advice ?? '')
      }),
    )
  } catch (error) {
    return [broken('upstreams', errorMessage(error))]
  }
}

const parserAdvice: Readonly<Record<GatewayConfig['parser']['kind'], string>> = {
  disabled: 'set its timeout above 0',
  local: 'check that processes can be started here',
  service: 'start it with `stickler parser`, or leave `parser` out',
}

/** The code parser, if a contract needs it; without it the gateway works, but leaves code unchecked. */
async function inspectParser(config: GatewayConfig, { checkParserFiles, probeParser }: Platform, limit: Limit): Promise<DoctorFinding[]> {
  try {
    await checkParserFiles(config)
  } catch (error) {
    // The probe reports other failures.
    if (error instanceof ConfigurationError) return error.message.split('\n').map((line) => broken('parser', line))
  }
  const { kind, service } = config.parser
  const where = kind === 'service' && service !== undefined ? service.url : kind
  const probe = await limit.hold(probeParser(config, limit.signal))
  if (probe === undefined) return []
  if (probe.ok) return [fine('parser', where)]
  return [doubtful('parser', `${where}: ${probe.message}; code stays unchecked`, parserAdvice[kind])]
}

/** Remote rules; without them the gateway works, but leaves answers unchecked. */
async function inspectRules(config: GatewayConfig, { probeRules }: Platform, limit: Limit): Promise<DoctorFinding[]> {
  return Promise.all(
    probeRules(config, limit.signal).map(async ({ asks, result }) => {
      const where = asks.port === 'remote' ? new URL(asks.rule.url).origin : asks.rule.run[0]
      const probe = await limit.hold(result)
      if (probe.ok) return fine(`rule ${asks.rule.name}`, where)
      return doubtful(`rule ${asks.rule.name}`, `${where}: ${probe.message}; answers stay unchecked`, ruleAdvice[asks.port])
    }),
  )
}

const ruleAdvice = { remote: 'start the service, or correct its url', command: 'install the program, or correct `run`' } as const

/** Opens the store and writes to it. */
async function inspectStore(config: GatewayConfig, { probeStore }: Platform, limit: Limit): Promise<DoctorFinding[]> {
  const probe = await limit.hold(probeStore(config))
  // A database of another version says itself what to do.
  const isOther = !probe.ok && probe.cause instanceof StoreUnavailable && probe.cause.reason === 'version'
  return [describe('store', config.store.shown, probe, isOther ? undefined : 'check that it exists and that this user may write to it')]
}

/** The index; without it the gateway works, but answers without sources. */
async function inspectIndex(config: GatewayConfig, { probeIndex }: Platform, limit: Limit): Promise<DoctorFinding[]> {
  const probe = await limit.hold(probeIndex(config, limit.signal))
  if (probe === undefined) return []
  const where = config.retrieval?.index.shown ?? ''
  const failed = (message: string) => `${where}: ${message}; questions are answered without sources`
  if (!probe.ok) return [doubtful('index', failed(probe.message), 'check that it is running, and its address')]
  if (!('chunks' in probe)) return [fine('index', where)]
  return [...embeddingsFinding(config, probe), indexFinding(where, probe)]
}

function indexFinding(where: string, { documents, chunks, isOther }: IndexProbe): DoctorFinding {
  if (chunks === 0) return doubtful('index', `${where} is empty`, 'fill it with `stickler index FOLDER`')
  if (isOther)
    return doubtful(
      'index',
      `${where} has vectors of another embedder; only full text is searched`,
      'rebuild it with `stickler index --rebuild FOLDER`, naming all of its folders',
    )
  return fine('index', `${where}: ${count(documents, 'document')}, ${count(chunks, 'passage')}`)
}

/** Without vectors nothing can be indexed, and only full text is searched. */
function embeddingsFinding({ retrieval }: GatewayConfig, { embeddings: fault }: IndexProbe): DoctorFinding[] {
  if (fault === undefined) return []
  const where = retrieval?.embeddings.kind === 'service' ? retrieval.embeddings.shown : ''
  const message = `${where}: ${fault}; nothing can be indexed, and only full text is searched`
  return [doubtful('embeddings', message, 'check their baseUrl, their key and the network')]
}

function describe(name: string, where: string, probe: Probe, advice?: string): DoctorFinding {
  return probe.ok ? fine(name, where) : broken(name, `${where}: ${probe.message}`, advice)
}

/** The result of a probe. */
type Probe = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly cause?: unknown }

type Limit = ReturnType<typeof limited>

/** Limits how long to wait; a late or failed promise counts as a failure. */
function limited(outer: AbortSignal, clock: Clock) {
  const late = new AbortController()
  const cancel = clock.after(limitMs, () => late.abort())
  const signal = AbortSignal.any([outer, late.signal])
  const over = new Promise<Probe>((resolve) => {
    const end = (): void => resolve({ ok: false, message: `no answer within ${limitMs / 1000} s` })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  const failed = (error: unknown): Probe => ({ ok: false, message: errorMessage(error), cause: error })
  return {
    signal,
    hold: <Found extends Probe | undefined>(probe: Promise<Found>): Promise<Found | Probe> => Promise.race([probe.catch(failed), over]),
    release: cancel,
  }
}

/** The gRPC listener, if there is one. */
async function inspectGrpc(config: GatewayConfig, { checkGrpcFiles }: Platform): Promise<DoctorFinding[]> {
  const { grpc, server } = config
  if (grpc === undefined) return []
  const { host, port, tls } = grpc
  const where = `${tls === undefined ? 'grpc' : 'grpcs'}://${host}:${port}`
  try {
    await checkGrpcFiles(config)
  } catch (error) {
    return [broken('grpc', errorMessage(error))]
  }
  if (port !== 0 && [server.port, server.admin?.port].includes(port))
    return [broken('grpc', `grpc.port ${port} is already used by another listener`, 'choose another port for grpc')]
  if (isParser(config.parser.service?.target, host, port))
    return [broken('grpc', `grpc.port ${port} is already used by the parser`, 'choose another port for grpc, or for `stickler parser`')]
  if (isLoopback(host)) return [fine('grpc', where)]
  if (server.keyCount + server.operatorKeyCount === 0)
    return [broken('grpc', `no keys, and others can reach ${host}`, 'set STICKLER_KEYS to name:key, or listen on 127.0.0.1')]
  if (tls === undefined) return [doubtful('grpc', `${where} sends keys without encryption`, 'set grpc.tls, or listen on 127.0.0.1')]
  return [fine('grpc', where)]
}

/** Whether the parser service has the same address as the gRPC listener. */
function isParser(target: string | undefined, host: string, port: number): boolean {
  if (target === undefined || !target.endsWith(`:${port}`)) return false
  const parserHost = target.slice(0, -`:${port}`.length)
  return parserHost === host || parserHost === `[${host}]` || isLoopback(parserHost)
}
