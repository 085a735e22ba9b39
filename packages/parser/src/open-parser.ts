import { ConfigurationError } from '@stickler/core'
import { closest, languageOf } from '@stickler/core/internal'
import { type GuardedParser, guardedParser, type ParserGuard } from '@stickler/core/internal/services'
import { ParserUnavailable } from '@stickler/core/validators'
import { openPlaces } from '@stickler/node/internal'
import { readNamedFile } from '@stickler/node/internal/files'
import type { GrpcParser } from './client/grpc-parser.ts'
import { localParser } from './local/local-parser.ts'
import { largestFile, readCatalogues } from './read-catalogues.ts'
import type { ParserServiceSettings, ParserSettings } from './settings/parser-settings.ts'

/**
 * A parser, local or remote, for as long as a host needs it; with a circuit breaker for a service.
 */
export interface OpenParser extends GuardedParser {
  /**
   * Resolves when the parser itself responds, regardless of its circuit; rejects with
   * ParserUnavailable.
   */
  ready(signal?: AbortSignal): Promise<void>
  /** Loads the grammars that the settings name, so that no first call waits for its own; one that does not load fails at its first call. */
  preload(): Promise<void>
  close(): Promise<void>
}

/** For a local parser, whose first calls start a process and load a grammar. */
const startMs = 30_000

/** Opens the parser that the settings name, with its circuit breaker; a service need not be there yet. */
export async function openParser(settings: ParserSettings, ports: Pick<ParserGuard, 'clock' | 'onEvent'> = {}): Promise<OpenParser> {
  const { kind, timeoutMs, breaker } = settings
  const parser = await openUnguarded(settings)
  // A local parser replaces what fails by itself: one bad snippet after the other must not leave sound ones unchecked.
  const limits = kind === 'local' ? { failures: Number.POSITIVE_INFINITY, timeoutMs: timeoutMs + startMs } : { ...breaker, timeoutMs }
  const guard = guardedParser(parser, { ...ports, ...limits })
  return {
    get state() {
      return guard.state
    },
    parse: kind === 'service' ? inTurn(guard.parse) : guard.parse,
    ...(guard.load === undefined ? {} : { load: guard.load }),
    ready: parser.ready,
    preload: parser.preload,
    close: parser.close,
  }
}

/** A service takes 32 calls of a connection; the others would wait for their own time limits. */
const mostCalls = 28
const mostWaiting = 1000

/** Lets only so many calls run at a time; callers take turns, and waiting is not counted against the service. */
function inTurn(parse: OpenParser['parse']): OpenParser['parse'] {
  const pool = openPlaces(
    mostCalls,
    mostWaiting,
    () => new ParserUnavailable(`${mostWaiting} calls wait for the parser service`, 'too-hard'),
  )
  return async (language, source, signal = new AbortController().signal, caller = '') => {
    const { leave } = await pool.enter({ caller, stop: signal }).catch((thrown: unknown) => {
      throw thrown instanceof ParserUnavailable ? thrown : new ParserUnavailable('the call was aborted', 'aborted')
    })
    try {
      return await parse(language, source, signal, caller)
    } finally {
      leave()
    }
  }
}

async function openUnguarded({ kind, service, timeoutMs, catalogues, preload = [] }: ParserSettings): Promise<Omit<OpenParser, 'state'>> {
  const nothing = async (): Promise<void> => {}
  if (kind === 'disabled') return disabledParser()
  if (kind === 'service' && service !== undefined) return { preload: nothing, ...(await openService(service, timeoutMs)) }
  const parser = localParser({
    timeoutMs,
    catalogues: catalogues === undefined ? {} : await readCatalogues(catalogues.files, catalogues.folder),
  })
  const names = preload === true ? parser.languages() : preload.map((written) => knownLanguage(written, parser.languages()))
  return {
    ready: nothing,
    ...parser,
    // One after the other, in one process: others are started and load what they need when there is more to do.
    preload: async () => {
      for (const name of names) await parser.load?.(name)?.catch(nothing)
    },
  }
}

function knownLanguage(written: string, known: readonly string[]): string {
  const name = languageOf(written)
  if (known.includes(name)) return name
  const guess = closest(written, known)
  const advice = guess === undefined ? `those that can be: ${known.join(', ')}` : `did you mean "${guess}"?`
  throw new ConfigurationError([{ path: ['parser', 'preload'], message: `no language "${written}" can be parsed; ${advice}` }])
}

/** What gRPC takes to load is only spent where there is a service. */
async function openService({ url, ca, messageLimit }: ParserServiceSettings, timeoutMs: number): Promise<GrpcParser> {
  const text = ca === undefined ? undefined : await readAuthorities(ca)
  const { grpcParser } = await import('./client/grpc-parser.ts')
  return grpcParser({ url, timeoutMs, messageLimit, ...(text === undefined ? {} : { ca: text }) })
}

async function readAuthorities(path: string): Promise<string> {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path: ['parser', 'ca'], message }])
  const text = await readNamedFile(path, largestFile, wrong)
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw wrong(`${path} holds no PEM certificate`)
  return text
}

function disabledParser(): Omit<OpenParser, 'state'> {
  const refuse = async (): Promise<never> => {
    throw new ParserUnavailable('the parser is switched off', 'disabled', 'disabled')
  }
  return { parse: refuse, ready: refuse, preload: async () => {}, close: async () => {} }
}
