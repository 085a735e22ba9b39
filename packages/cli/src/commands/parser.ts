import { InvalidArgumentError } from 'commander'
import type { ParserFlags } from '../serve/serve-parser.ts'
import { wholeNumber } from '../whole-number.ts'
import type { CommandRecord } from './command.ts'

/** `stickler parser`. */
export const parser: CommandRecord = {
  name: 'parser',
  summary: 'serve the parser over gRPC',
  description:
    'Starts the parser service: stickler.parser.v1 over gRPC, with standard health and reflection.\n' +
    'SIGTERM and Ctrl-C let calls finish; a second signal stops at once.',
  options: (command) =>
    command
      .option('--host <address>', 'where to listen', '127.0.0.1')
      .option('--port <number>', '0 picks a free port', wholeNumber(0, 65_535), 50_051)
      .option('--tls-cert <file>', 'PEM certificate, with its chain; needs --tls-key')
      .option('--tls-key <file>', 'PEM key of the certificate')
      .option('--max-message <bytes>', 'largest message in either direction', wholeNumber(1024, 256 * 1024 * 1024), 4 * 1024 * 1024)
      .option('--timeout <seconds>', 'time limit to parse one source', secondsUpTo(3600), 2)
      .option('--processes <number>', 'maximum parser processes; default: one per core', wholeNumber(1, 256))
      .option('--in-flight <number>', 'maximum concurrent calls; more are rejected', wholeNumber(1, 100_000), 256)
      .option('--grace <seconds>', 'time for calls to finish at the end', secondsUpTo(3600), 5)
      .option('--catalogue <language=file>', 'JSON file with the commands of a language, more than once for others', addCatalogue)
      .option('--json', 'print the address as one line of JSON'),
  run: async (_args, flags: ParserFlags, { cli }) => (await import('../serve/serve-parser.ts')).serveParser(flags, cli),
}

function secondsUpTo(most: number): (written: string) => number {
  return (written) => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(written) ? Number(written) : Number.NaN
    if (value > 0 && value <= most) return value
    throw new InvalidArgumentError(`Expected a number of seconds above 0, at most ${most}.`)
  }
}

function addCatalogue(written: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = written.indexOf('=')
  if (at < 1 || at === written.length - 1) throw new InvalidArgumentError('Expected LANGUAGE=FILE.')
  return { ...before, [written.slice(0, at)]: written.slice(at + 1) }
}
