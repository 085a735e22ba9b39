/** A rule that a service of the user judges, as a contract names it. */
export interface RemoteRule {
  readonly name: string
  readonly url: string
  /** Additional headers without secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Additional headers, each with the environment variable that holds its value. */
  readonly headersEnv?: Readonly<Record<string, string>> | undefined
  /** The environment variable that holds a key, which is sent as a bearer token. */
  readonly keyEnv?: string | undefined
  /** How long the service may take. */
  readonly timeoutMs: number
}

/** A rule that a program of the user judges, as a contract names it. */
export interface CommandRule {
  readonly name: string
  /** The program and its arguments. */
  readonly run: readonly [program: string, ...arguments: string[]]
  /** Most processes at a time. */
  readonly processes: number
  /** Environment variables that the program gets beside the usual ones. */
  readonly env: readonly string[]
  /** How long one answer may take. */
  readonly timeoutMs: number
  /** How long a process may take to start, beside its first answer. */
  readonly startMs: number
}

/** What a rule is asked, in the shape of a line of `stickler check --jsonl`; the port adds the `id`. */
export type RuleRequest = Readonly<Record<string, unknown>>

/** Asks rules that live outside of this process. */
export interface RulePort<Rule> {
  /** Returns the JSON value that the rule answers with, whatever it is; rejects with ValidatorUnavailable when there is none. Callers that wait take turns. */
  ask(rule: Rule, request: RuleRequest, signal?: AbortSignal, caller?: string): Promise<unknown>
}

/** A rule outside of this process that a check asks, with the port that asks it. */
export type OutsideRule = { readonly port: 'remote'; readonly rule: RemoteRule } | { readonly port: 'command'; readonly rule: CommandRule }
