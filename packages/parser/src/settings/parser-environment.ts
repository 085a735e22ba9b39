import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { parserVariables } from '@stickler/presets/internal'
import { type ParserAddress, readParserAddress } from './parser-address.ts'

/** The environment, passed in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The parser settings of the environment. */
interface ParserEnvironment {
  readonly address?: ParserAddress
  /** Seconds; 0 switches the parser off. */
  readonly timeout?: number
  readonly failures?: number
  /** Seconds. */
  readonly cooldown?: number
}

const longest = 86_400

/** Reads the variables of `parserVariables`; an empty one counts as absent, a malformed one throws. */
export function readParserEnvironment(env: Environment): ParserEnvironment {
  const problems: ConfigurationProblem[] = []
  const read = <T>(name: string, parse: (written: string) => T): T | undefined => {
    const written = Object.hasOwn(env, name) ? env[name] : undefined
    if (!written) return undefined
    try {
      return parse(written)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      problems.push(...error.problems.map(({ message }) => ({ path: [name], message })))
      return undefined
    }
  }
  const found = {
    address: read(parserVariables.url, (written) => readParserAddress(written)),
    timeout: read(parserVariables.timeout, (written) =>
      readNumber(written, 0, 'must be a number of seconds, such as 2 or 0.5; 0 switches the parser off'),
    ),
    failures: read(parserVariables.failures, readCount),
    cooldown: read(parserVariables.cooldown, (written) =>
      readNumber(written, Number.MIN_VALUE, 'must be a number of seconds above 0, such as 30 or 0.5'),
    ),
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function readNumber(written: string, least: number, message: string): number {
  const value = /^(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/.test(written) ? Number(written) : Number.NaN
  if (value >= least && value <= longest) return value
  throw new ConfigurationError([{ path: [], message: value > longest ? `must be at most ${longest} seconds` : message }])
}

function readCount(written: string): number {
  const value = /^\d{1,9}$/.test(written) ? Number(written) : 0
  if (value >= 1 && value <= 10_000) return value
  throw new ConfigurationError([{ path: [], message: 'must be a whole number from 1 to 10000' }])
}
