import type { Issue } from '../../contract/issue.ts'
import type { FaultWording } from './inspect.ts'
import type { Judging } from './verdicts.ts'

/** How a preset has code judged: the value of the option `profile` that chooses it, and what it changes. */
export interface CodeProfile<Name extends string = string> {
  readonly name: Name
  /** What it changes, in one sentence for the description of the option. */
  readonly description: string
  /** Whether blocks without a tag are in `language`, and of a text without blocks the parser says whether it is code. */
  readonly judge: boolean
  /** Which languages a tag may be changed to. */
  readonly retags: Judging['retags']
  /** How the fault of a parser is reported. */
  readonly tell: FaultWording
  /** Asks again about its issues in its own words. */
  feedback(issues: readonly Issue[]): string
}
