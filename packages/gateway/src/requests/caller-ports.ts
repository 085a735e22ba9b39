import type { Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'

/** What checks work with. */
interface CheckParts<Own extends Executor | undefined> {
  readonly ports: Ports
  readonly executor: Own
}

/** The same for one caller, whose work takes turns with that of others where it has to wait, and whose failures are its own. */
export function forCaller<Own extends Executor | undefined>(
  { ports, executor }: CheckParts<Own>,
  caller: string,
): CheckParts<Own | Executor> {
  return { ports: portsFor(ports, caller), executor: executor?.for?.(caller) ?? executor }
}

function portsFor(ports: Ports, caller: string): Ports {
  const { parser, remote, command } = ports
  if (parser === undefined && remote === undefined && command === undefined) return ports
  return {
    ...ports,
    ...(parser && {
      parser: {
        parse: (language, source, signal) => parser.parse(language, source, signal, caller),
        load: (language, signal) => parser.load?.(language, signal, caller),
      },
    }),
    ...(remote && { remote: { ask: (rule, request, signal) => remote.ask(rule, request, signal, caller) } }),
    ...(command && { command: { ask: (rule, request, signal) => command.ask(rule, request, signal, caller) } }),
  }
}
