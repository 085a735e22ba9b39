import { isLoopback } from '@stickler/gateway'
import type { Cli } from '../cli.ts'
import { urlOf } from '../serve/announce.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/table.ts'

/** What is announced when the parser service listens. */
export interface ParserAnnouncement {
  readonly host: string
  /** The actual port. */
  readonly port: number
  readonly isSecure: boolean
  readonly languages: readonly string[]
  readonly json: boolean
}

/** Prints the address of the parser service, for people on stderr and for programs on stdout. */
export async function announceParser({ host, port, isSecure, languages, json }: ParserAnnouncement, cli: Cli): Promise<void> {
  const url = urlOf(host, port, isSecure ? 'grpcs' : 'grpc')
  const access = isLoopback(host) ? 'only this machine' : 'anyone who can reach this address'
  const rows = [
    ['languages', languages.join(', ')],
    ['access', `${access}${isSecure ? '' : ', without TLS'}`],
    ['use it with', `AVAP_PARSER_URL=${url}`],
  ]
  for (const line of [`stickler parser listens on ${url}`, ...table(rows, '  ')]) cli.stderr.say(`${printable(line)}\n`)
  if (json) await cli.stdout.write(`${safeJson({ url, pid: process.pid, languages })}\n`)
}
