import { isDeepStrictEqual } from 'node:util'
import type { Clock, Contract } from '@stickler/core'
import { usesParser } from '@stickler/core/internal'
import type { ParserEvent, ParserState } from '@stickler/core/internal/services'
import { ParserUnavailable, type SyntaxParser } from '@stickler/core/validators'
import { readiness } from '@stickler/node/internal'
import { lazyParser, lazyService } from '@stickler/node/internal/services'
import type { OpenParser, openParser as openConfigured, ParserSettings } from '@stickler/parser'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { heldContracts } from '../contracts/pipeline-contracts.ts'

/** What parsing needs. */
export interface ParsingPorts {
  readonly clock: Clock
  /** Called with every call and every change of the circuit to a service, whose address is absent for a local parser. */
  readonly onParser?: (event: ParserEvent, service?: string) => void
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
export function createParsing(settings: ParserSettings, { clock, onParser, openParser = openLoaded }: ParsingPorts): Parsing {
  const { kind } = settings
  const service = lazyService({
    open: () =>
      openParser(settings, {
        clock,
        ...(onParser === undefined ? {} : { onEvent: (event: ParserEvent) => onParser(event, settings.service?.url) }),
      }),
    close: (parser) => parser.close(),
    closed: () => new ParserUnavailable('the gateway is shutting down', 'aborted'),
  })
  const stateNow = (): ParserState => service.opened?.state ?? (kind === 'disabled' ? 'disabled' : 'closed')
  const isThere = readiness(
    async (signal) => (await service.open()).ready(signal),
    clock,
    () => stateNow() === 'open',
  )
  return {
    settings,
    port: lazyParser(service),
    get state() {
      return kind === 'local' ? undefined : stateNow()
    },
    async open() {
      const parser = await service.open()
      // A call that comes before its grammar is loaded waits for it alone, so nobody has to wait here.
      void parser.preload()
    },
    ready: kind === 'service' ? isThere : async () => kind === 'local',
    close: service.close,
  }
}

/**
 * The parser for new settings: the current one, with the state of its circuit, when they are
 * unchanged.
 */
export function nextParsing(before: Parsing, settings: ParserSettings, ports: ParsingPorts): Parsing {
  return isDeepStrictEqual(before.settings, settings) ? before : createParsing(settings, ports)
}

/** The checks of each contract that need the parser; contracts without any are left out. */
export function parserChecks(contracts: ReadonlyMap<string, Contract>): ReadonlyMap<string, ReadonlySet<string>> {
  const needing = [...contracts].filter(([, contract]) => usesParser(contract))
  return new Map(
    needing.map(([name, { validators }]) => [
      name,
      new Set(validators.filter(({ definition }) => definition.ports?.includes('parser')).map((validator) => validator.name)),
    ]),
  )
}

/**
 * Probes the parser of a configuration; rejects when it is unavailable, and resolves to undefined
 * when no contract needs it.
 */
export async function probeParser(config: GatewayConfig, signal: AbortSignal): Promise<{ readonly ok: true } | undefined> {
  return withParser(config, async ({ ready }) => {
    await ready(signal)
    return { ok: true }
  })
}

/**
 * Reads the files and languages that the parser settings name; rejects when one is invalid. A
 * service is not called.
 */
export async function checkParserFiles(config: GatewayConfig): Promise<void> {
  // Wrong settings are reported before a contract needs them.
  await withParser(config, async () => {}, config.parser.kind === 'local' || undefined)
}

async function withParser<Found>(
  config: GatewayConfig,
  use: (opened: OpenParser) => Promise<Found>,
  isNeeded = parserChecks(heldContracts(config)).size > 0,
): Promise<Found | undefined> {
  if (!isNeeded) return undefined
  const opened = await openLoaded(config.parser)
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}

/** Reading a configuration does not load the parser. */
const openLoaded: typeof openConfigured = async (...settings) => (await import('@stickler/parser')).openParser(...settings)
