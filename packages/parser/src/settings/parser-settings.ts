import { resolve } from 'node:path'
import { ConfigurationError, type Environment } from '@stickler/core'
import type * as z from 'zod'
import { type ParserAddress, readParserAddress } from './parser-address.ts'
import { readParserEnvironment } from './parser-environment.ts'
import { parserObjectSchema, type WrittenParser } from './parser-schema.ts'

/** The parser service that is used. */
export interface ParserServiceSettings extends ParserAddress {
  /** PEM file with the authorities that may vouch for it; those of Node when absent. */
  readonly ca?: string
  /** Most bytes of a message to or from it. */
  readonly messageLimit: number
}

/** The parser that checks code, with all defaults filled in. */
export interface ParserSettings {
  /** `disabled` never calls a parser, nor probes one. */
  readonly kind: 'local' | 'service' | 'disabled'
  /** The service, when one is named; kept beside `disabled` so that operators see what is switched off. */
  readonly service?: ParserServiceSettings
  /** For one call; 0 when disabled. */
  readonly timeoutMs: number
  /** JSON files with the catalogues of languages, by name; for a local parser. */
  readonly catalogues?: { readonly files: Readonly<Record<string, string>>; readonly folder: string }
  /** Languages whose grammars a host loads at its start, or all of them; for a local parser. */
  readonly preload?: true | readonly string[]
  /** Failures in a row that open the circuit, and how long it stays open. */
  readonly breaker: { readonly failures: number; readonly openMs: number }
}

/** Where a `parser` key is, for paths and messages. */
export interface ParserSettingsContext {
  readonly env: Environment
  /** What paths in the key are relative to. */
  readonly folder: string
}

/**
 * Chooses the parser: from the `parser` key, else the environment, else the local parser, in
 * processes of this machine.
 */
export function parserSettings(written: WrittenParser | undefined, { env, folder }: ParserSettingsContext): ParserSettings {
  const fromEnv = readParserEnvironment(env)
  const {
    url = fromEnv.url,
    timeout,
    ca,
    messageLimit,
    catalogues,
    preload,
    breaker,
  } = read(typeof written === 'string' ? { url: written } : (written ?? {}))
  const address = url === undefined || url === 'local' ? undefined : readParserAddress(url)
  const [conflict] = [
    { key: 'ca', isWrong: ca !== undefined && address?.secure !== true, needs: 'a service with TLS; write its url with grpcs://' },
    { key: 'catalogues', isWrong: catalogues && address, needs: 'the local parser; a service has its own' },
    { key: 'preload', isWrong: preload !== undefined && address, needs: 'the local parser; a service loads its own grammars' },
    { key: 'messageLimit', isWrong: messageLimit && !address, needs: 'a service; write its url with grpc:// or grpcs://' },
  ].filter(({ isWrong }) => isWrong)
  if (conflict !== undefined) throw new ConfigurationError([{ path: ['parser', conflict.key], message: `needs ${conflict.needs}` }])
  const timeoutMs = milliseconds(timeout ?? fromEnv.timeout ?? 2)
  const common = {
    timeoutMs,
    breaker: { failures: breaker.failures ?? fromEnv.failures ?? 3, openMs: milliseconds(breaker.cooldown ?? fromEnv.cooldown ?? 30) },
  }
  if (address !== undefined) {
    const service = { ...address, messageLimit: messageLimit ?? 4 * 1024 * 1024, ...(ca === undefined ? {} : { ca: resolve(folder, ca) }) }
    return { kind: timeoutMs === 0 ? 'disabled' : 'service', service, ...common }
  }
  return {
    kind: timeoutMs === 0 ? 'disabled' : 'local',
    ...(catalogues && { catalogues: { files: catalogues, folder } }),
    preload: preload === false ? [] : (preload ?? commonLanguages),
    ...common,
  }
}

/** Those of most code blocks in recorded answers. */
const commonLanguages: readonly string[] = ['bash', 'javascript', 'python']

function read(written: Exclude<WrittenParser, string>): z.output<typeof parserObjectSchema> {
  const { data, error } = parserObjectSchema.safeParse(written)
  if (data !== undefined) return data
  throw new ConfigurationError(error.issues.map(({ message, path }) => ({ message, path: ['parser', ...path.map(String)] })))
}

/** Only 0 itself switches off: a very short time is still a time. */
function milliseconds(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, Math.round(seconds * 1000))
}
