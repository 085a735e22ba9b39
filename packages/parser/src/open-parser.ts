import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@stickler/core'
import { ParserUnavailable, type SyntaxParser } from '@stickler/core/syntax'
import { localParser } from './local/local-parser.ts'
import type { ParserServiceSettings, ParserSettings } from './settings/parser-settings.ts'

/** A parser, local or not, for as long as a host needs it. */
export interface OpenParser extends SyntaxParser {
  /** Resolves when the parser can be asked; rejects with ParserUnavailable. */
  ready(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens the parser that the settings name; a service need not be there yet. */
export async function openParser({ kind, service, timeoutMs }: ParserSettings): Promise<OpenParser> {
  if (kind === 'disabled') return disabledParser()
  if (kind === 'service' && service !== undefined) return openService(service, timeoutMs)
  return { ready: async () => {}, ...localParser({ timeoutMs }) }
}

/** What gRPC takes to load is only spent where there is a service. */
async function openService({ url, ca, messageLimit }: ParserServiceSettings, timeoutMs: number): Promise<OpenParser> {
  const text = ca === undefined ? undefined : await readAuthorities(ca)
  const { grpcParser } = await import('./client/grpc-parser.ts')
  return grpcParser({ url, timeoutMs, messageLimit, ...(text === undefined ? {} : { ca: text }) })
}

async function readAuthorities(path: string): Promise<string> {
  const wrong = (message: string): ConfigurationError => new ConfigurationError([{ path: ['parser', 'ca'], message }])
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrong(`cannot read ${path}: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}`)
  })
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw wrong(`${path} holds no PEM certificate`)
  return text
}

function disabledParser(): OpenParser {
  const refuse = async (): Promise<never> => {
    throw new ParserUnavailable('the parser is switched off', 'disabled')
  }
  return { parse: refuse, ready: refuse, close: async () => {} }
}
