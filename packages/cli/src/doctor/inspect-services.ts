import { type Clock, ConfigurationError } from '@stickler/core'
import type { GatewayConfig } from '@stickler/gateway'
import { type IndexProbe, isLoopback, StoreUnavailable } from '@stickler/gateway/internal'
import type { Platform, Probe } from '../serve/platform.ts'
import { count } from '../terminal/text.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

const limitMs = 10_000

/** Probes all upstreams concurrently. */
export async function inspectUpstreams(
  config: GatewayConfig,
  { probeUpstreams, clock }: Platform,
  signal: AbortSignal,
): Promise<DoctorFinding[]> {
  const limit = limited(signal, clock)
  try {
    const probes = await probeUpstreams(config, limit.signal)
    return await Promise.all(
      probes.map(async ({ name, result }) =>
        describe(`upstream ${name}`, addressOf(config, name), await limit.hold(result), adviceFor(config, name)),
      ),
    )
  } catch (error) {
    return [broken('upstreams', wordsOf(error))]
  } finally {
    limit.release()
  }
}

const parserAdvice: Readonly<Record<GatewayConfig['parser']['kind'], string>> = {
  disabled: 'set its timeout above 0',
  local: 'check that processes can be started here',
  service: 'start it with `stickler parser`, or leave `parser` out',
}

/** Probes the code parser, if a contract needs it; without it the gateway works, but leaves code unchecked. */
export async function inspectParser(config: GatewayConfig, platform: Platform, signal: AbortSignal): Promise<DoctorFinding[]> {
  const { probeParser, clock } = platform
  const wrong = await wrongParserFiles(config, platform)
  if (wrong !== undefined) return wrong.message.split('\n').map((line) => broken('parser', line))
  const { kind, service } = config.parser
  const where = kind === 'service' && service !== undefined ? service.url : kind
  const limit = limited(signal, clock)
  try {
    const probe = await limit.hold(probeParser(config, limit.signal))
    if (probe === undefined) return []
    if (probe.ok) return [fine('parser', where)]
    return [doubtful('parser', `${where}: ${probe.message}; code stays unchecked`, parserAdvice[kind])]
  } finally {
    limit.release()
  }
}

/** Files that the gateway needs to start. */
async function wrongParserFiles(config: GatewayConfig, { checkParserFiles }: Platform): Promise<ConfigurationError | undefined> {
  try {
    await checkParserFiles(config)
    return undefined
  } catch (error) {
    // The probe reports other failures.
    return error instanceof ConfigurationError ? error : undefined
  }
}

/** Probes remote rules; without them the gateway works, but leaves answers unchecked. */
export async function inspectRules(config: GatewayConfig, { probeRules, clock }: Platform, signal: AbortSignal): Promise<DoctorFinding[]> {
  const limit = limited(signal, clock)
  try {
    return await Promise.all(
      probeRules(config, limit.signal).map(async ({ asks, result }) => {
        const where = asks.port === 'remote' ? new URL(asks.rule.url).origin : asks.rule.run[0]
        const probe = await limit.hold(result)
        if (probe.ok) return fine(`rule ${asks.rule.name}`, where)
        return doubtful(`rule ${asks.rule.name}`, `${where}: ${probe.message}; answers stay unchecked`, ruleAdvice[asks.port])
      }),
    )
  } finally {
    limit.release()
  }
}

const ruleAdvice = { remote: 'start the service, or correct its url', command: 'install the program, or correct `run`' } as const

/** Opens the store and writes to it. */
export async function inspectStore(config: GatewayConfig, { probeStore, clock }: Platform, signal: AbortSignal): Promise<DoctorFinding> {
  const limit = limited(signal, clock)
  try {
    const probe = await limit.hold(probeStore(config, limit.signal))
    // A database of another version says itself what to do.
    const isOther = !probe.ok && probe.cause instanceof StoreUnavailable && probe.cause.reason === 'version'
    return describe('store', config.store.shown, probe, isOther ? undefined : 'check that it exists and that this user may write to it')
  } finally {
    limit.release()
  }
}

/** Probes the index; without it the gateway works, but answers without sources. */
export async function inspectIndex(config: GatewayConfig, { probeIndex, clock }: Platform, signal: AbortSignal): Promise<DoctorFinding[]> {
  const limit = limited(signal, clock)
  try {
    const probe = await limit.hold(probeIndex(config, limit.signal))
    if (probe === undefined) return []
    const where = config.retrieval?.index.shown ?? ''
    if (!probe.ok)
      return [
        doubtful(
          'index',
          `${where}: ${probe.message}; questions are answered without sources`,
          'check that it is running, and its address',
        ),
      ]
    if (!('chunks' in probe)) return [fine('index', where)]
    return [...embeddingsFinding(config, probe), indexFinding(where, probe)]
  } finally {
    limit.release()
  }
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

function addressOf({ upstreams }: GatewayConfig, name: string): string {
  const found = upstreams.find((upstream) => upstream.name === name)
  return found === undefined ? '' : found.shown
}

function adviceFor({ upstreams }: GatewayConfig, name: string): string {
  return upstreams.find((upstream) => upstream.name === name)?.record.advice ?? ''
}

function describe(name: string, where: string, probe: Probe, advice?: string): DoctorFinding {
  return probe.ok ? fine(name, where) : broken(name, `${where}: ${probe.message}`, advice)
}

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
  const failed = (error: unknown): Probe => ({ ok: false, message: wordsOf(error), cause: error })
  return {
    signal,
    hold: <Found extends Probe | undefined>(probe: Promise<Found>): Promise<Found | Probe> => Promise.race([probe.catch(failed), over]),
    release: cancel,
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Inspects the gRPC listener, if there is one. */
export async function inspectGrpc(config: GatewayConfig, { checkGrpcFiles }: Pick<Platform, 'checkGrpcFiles'>): Promise<DoctorFinding[]> {
  const { grpc, server } = config
  if (grpc === undefined) return []
  const { host, port, tls } = grpc
  const where = `${tls === undefined ? 'grpc' : 'grpcs'}://${host}:${port}`
  try {
    await checkGrpcFiles(config)
  } catch (error) {
    return [broken('grpc', error instanceof Error ? error.message : String(error))]
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
