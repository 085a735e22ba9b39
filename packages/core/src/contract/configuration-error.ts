import { closest } from './closest.ts'
import { type ReasonCode, ReasonedError } from './reason.ts'

/** A place in a configuration file, counted from 1. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One thing that is wrong with a configuration. */
export interface ConfigurationProblem {
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly position?: SourcePosition
}

/** Thrown at construction when a contract or configuration cannot be right. */
export class ConfigurationError extends ReasonedError {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly ConfigurationProblem[]

  constructor(problems: readonly ConfigurationProblem[], codes?: readonly ReasonCode[]) {
    super({ message: problems.map(describeProblem).join('\n'), ...(codes && { codes }) })
    this.problems = problems
  }
}

/** Writes a problem as `file:line:column: path: message`. */
function describeProblem({ message, path, position }: ConfigurationProblem): string {
  const where = position ? `${position.file}:${position.line}:${position.column}: ` : ''
  return `${where}${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`
}

/** The sentence for a name that does not exist, with the one that is `meant`, or else the closest one that does. */
export function unknownName(kind: string, name: string, known: readonly string[], meant = closest(name, known)): string {
  const advice = meant === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${meant}"?`
  return `unknown ${kind} ${JSON.stringify(name.slice(0, 80))}; ${advice}`
}

/** Rejects settings that are not positive numbers; those that are absent pass. */
export function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  const problems = Object.entries(numbers).flatMap(([name, value = 1]) =>
    value > 0 ? [] : [{ path: [name], message: 'must be a positive number' }],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}
