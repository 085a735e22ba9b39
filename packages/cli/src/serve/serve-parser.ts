import { isLoopback } from '@stickler/gateway/internal'
import type { ParserService, ParserServiceOptions, TlsTexts } from '@stickler/parser/service'
import { parserVariables } from '@stickler/presets/internal'
import type { Cli } from '../cli.ts'
import { readTextFile } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/text.ts'
import { urlOf } from './announce.ts'
import { aborted } from './signals.ts'

/** A repeated fault is reported again after this time. */
const quietMs = 10_000

/** Reports faults on stderr, without repeating the same one for every call. */
function faultNotes({ note, io }: Pick<Cli, 'note' | 'io'>): (message: string) => void {
  let last: { readonly message: string; readonly at: number } | undefined
  return (message) => {
    const at = io.now()
    if (last?.message === message && at - last.at < quietMs) return
    last = { message, at }
    note(message)
  }
}

/** The options of `stickler parser`. */
export interface ParserFlags {
  readonly host: string
  readonly port: number
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly maxMessage: number
  readonly timeout: number
  readonly processes?: number
  readonly inFlight: number
  readonly grace: number
  readonly catalogue?: Readonly<Record<string, string>>
  readonly json?: true
}

/** Time for the parser processes to exit, after the last call. */
const closingMs = 5000

/** Serves the parser until it is stopped; resolves to the exit code. */
export async function serveParser(flags: ParserFlags, cli: Cli): Promise<number> {
  const tls = await readTls(flags, cli.io.cwd)
  const graceMs = flags.grace * 1000
  cli.io.allowToEnd?.(graceMs + closingMs)
  const service = await start(flags, tls, cli)
  try {
    if (!cli.io.signal.aborted) await announceParser(flags, service, cli)
    await aborted(cli.io.signal)
  } finally {
    await service.close(graceMs)
  }
  return exitCode.ok
}

async function readTls({ tlsCert, tlsKey }: ParserFlags, cwd: string): Promise<TlsTexts | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) throw new UsageError('--tls-cert and --tls-key must be given together')
  const [cert, key] = await Promise.all([readTextFile(tlsCert, cwd), readTextFile(tlsKey, cwd)])
  return { cert, key }
}

async function start(flags: ParserFlags, tls: TlsTexts | undefined, cli: Cli): Promise<ParserService> {
  const { host, port, maxMessage, timeout, processes, inFlight } = flags
  const { readCatalogues } = await import('@stickler/parser/internal')
  const catalogues = await readCatalogues(flags.catalogue ?? {}, cli.io.cwd)
  const options: ParserServiceOptions = {
    catalogues,
    host,
    port,
    messageLimit: maxMessage,
    timeoutMs: Math.max(1, Math.round(timeout * 1000)),
    inFlight,
    quiet: true,
    onFault: faultNotes(cli),
    ...(tls === undefined ? {} : { tls }),
    ...(processes === undefined ? {} : { processes }),
  }
  // gRPC takes longer to load than most commands take.
  const { CannotListen, startParserService } = await import('@stickler/parser/service')
  try {
    return await startParserService(options)
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error
    throw new UsageError(error.message)
  }
}

/** Prints the address of the parser service, for people on stderr and for programs on stdout. */
async function announceParser({ host, tlsCert, json }: ParserFlags, { port, languages }: ParserService, cli: Cli): Promise<void> {
  const isSecure = tlsCert !== undefined
  const url = urlOf(host, port, isSecure ? 'grpcs' : 'grpc')
  const access = isLoopback(host) ? 'only this machine' : 'anyone who can reach this address'
  const rows = [
    ['languages', languages.join(', ')],
    ['access', `${access}${isSecure ? '' : ', without TLS'}`],
    ['use it with', `${parserVariables.url}=${url}`],
  ]
  for (const line of [`stickler parser listens on ${url}`, ...table(rows, '  ')]) cli.stderr.say(`${printable(line)}\n`)
  if (json) await cli.stdout.write(`${safeJson({ url, pid: process.pid, languages })}\n`)
}
