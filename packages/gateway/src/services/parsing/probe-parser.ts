import type { OpenParser } from '@stickler/parser'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { heldContracts } from '../contracts/held-contracts.ts'
import { parserChecks } from './parser-checks.ts'

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
 * Reads the files that the parser settings name; rejects when one is invalid. A service is not
 * called.
 */
export async function checkParserFiles(config: GatewayConfig): Promise<void> {
  await withParser(config, async () => {})
}

async function withParser<Found>(config: GatewayConfig, use: (opened: OpenParser) => Promise<Found>): Promise<Found | undefined> {
  if (parserChecks(heldContracts(config)).size === 0) return undefined
  const { openParser } = await import('@stickler/parser')
  const opened = await openParser(config.parser)
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
