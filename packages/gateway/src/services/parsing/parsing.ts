import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@stickler/core'
import { type ParserEvent, type ParserState, ParserUnavailable, type SyntaxParser } from '@stickler/core/syntax'
import { type OpenParser, openParser as openConfigured, type ParserSettings } from '@stickler/parser'
import { readiness } from '../readiness.ts'

/** What parsing needs. */
export interface ParsingPorts {
  readonly clock: Clock
  /** Called with every call and every change of the circuit. */
  readonly onParser?: (event: ParserEvent) => void
  /** Makes the parser itself. */
  readonly openParser?: typeof openConfigured
}

/** The parser of a configuration, for all contracts that need one. */
export interface Parsing {
  readonly settings: ParserSettings
  readonly port: SyntaxParser
  /** The state of the circuit to the service; a local parser has none. */
  readonly state: ParserState | undefined
  /**
   * Makes the parser, which is otherwise made on first use; rejects when its settings are invalid.
   */
  open(): Promise<void>
  /** Whether a verdict can be expected; a service is probed, unless its circuit is open. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

/** Makes the parser of a configuration; nothing is started or connected before it is needed. */
export function createParsing(settings: ParserSettings, { clock, onParser, openParser = openConfigured }: ParsingPorts): Parsing {
  let opening: Promise<OpenParser> | undefined
  let opened: OpenParser | undefined
  let isClosed = false
  const open = (): Promise<OpenParser> => {
    if (isClosed) throw new ParserUnavailable('the gateway is shutting down', 'aborted')
    opening ??= openParser(settings, { clock, ...(onParser === undefined ? {} : { onEvent: onParser }) }).then(
      (parser) => {
        opened = parser
        return parser
      },
      (error: unknown) => {
        // A missing file may exist the next time.
        opening = undefined
        throw error
      },
    )
    return opening
  }
  const stateNow = (): ParserState => opened?.state ?? (settings.kind === 'disabled' ? 'disabled' : 'closed')
  const isThere = readiness(async (signal) => (await open()).ready(signal), clock)
  return {
    settings,
    port: {
      parse: async (language, source, signal, caller) => (await open()).parse(language, source, signal, caller),
      load: (language, signal, caller) =>
        opened === undefined ? loadFirst(open, language, signal, caller) : opened.load?.(language, signal, caller),
    },
    get state() {
      return settings.kind === 'local' ? undefined : stateNow()
    },
    async open() {
      await open()
    },
    async ready() {
      if (settings.kind !== 'service') return settings.kind === 'local'
      // After the pause, a probe tells whether the service is back; the circuit closes with the
      // first verdict.
      if (stateNow() === 'open') return false
      return isThere()
    },
    async close() {
      isClosed = true
      const parser = await opening?.catch(() => undefined)
      await parser?.close()
    },
  }
}

/**
 * The parser for new settings: the current one, with the state of its circuit, when they are
 * unchanged.
 */
export function nextParsing(before: Parsing, settings: ParserSettings, ports: ParsingPorts): Parsing {
  return isDeepStrictEqual(before.settings, settings) ? before : createParsing(settings, ports)
}

async function loadFirst(
  open: () => Promise<OpenParser>,
  language: string,
  signal: AbortSignal | undefined,
  caller: string | undefined,
): Promise<void> {
  await (await open()).load?.(language, signal, caller)
}
