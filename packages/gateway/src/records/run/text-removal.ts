import type { Certificate, Issue, Unchecked } from '@stickler/core'
import { engineCodes } from '@stickler/core/internal'
import { parserStates } from '@stickler/core/internal/services'
import { catalogue } from '@stickler/presets'
import type { RunRecord } from './run-record.ts'

/** Whether a name is from the contract of a run, so that no model and no prompt made it up. */
export interface NameTest {
  (contract: string, name: string): boolean
  /** Describes when a validator of the contract reports a code, from its own table; undefined for other codes. */
  readonly whenReported?: (contract: string, validator: string, code: string) => string | undefined
}

/** Recognises no name, so that none is stored. */
export const noNames: NameTest = () => false

/** Returns the description of a code that does not ship with Stickler. */
export type WhenReported = (validator: string, code: string) => string | undefined

type Path = readonly (string | number)[]

/** An issue as it is stored without texts: its code and position, with the description of the code instead of a message that may quote. */
export function issueWithoutWords(issue: Issue, isName: (name: string) => boolean, whenReported: WhenReported = () => undefined): Issue {
  const { code, severity, validator, span, path } = issue
  const message = sentenceOf(validator, code) ?? whenReported(validator, code) ?? ''
  return { code, severity, validator, message, ...(span ? { span } : {}), ...(path ? { path: pathWithoutWords(path, isName) } : {}) }
}

/** A repair as it is stored without texts: the removed and inserted words are dropped. */
export function repairWithoutWords(repair: Certificate, isName: (name: string) => boolean): Certificate {
  const { rule, class: kind, span, path, in: part } = repair
  const place = { ...(path ? { path: pathWithoutWords(path, isName) } : {}), ...(part ? { in: part } : {}) }
  return { rule, class: kind, span, before: '', after: '', ...place }
}

/** A check that could not run, as it is stored without texts: its error may quote what it read. */
export function uncheckedWithoutWords({ validator, cause, reason, fault, circuit }: Unchecked): Unchecked {
  if (reason !== undefined && Object.hasOwn(reasons, reason)) {
    const state = parserStates.find((one) => one === circuit)
    const known = fault !== undefined && Object.hasOwn(faults, fault) ? { fault } : undefined
    const message = known === undefined ? reasons[reason] : faults[known.fault]
    return { validator, cause, message, reason, ...known, ...(state === undefined ? {} : { circuit: state }) }
  }
  return { validator, cause, message: causes[cause] ?? '' }
}

/** A failure as it is stored without texts: a provider may repeat what it was sent. */
export function failureWithoutWords({ kind, status }: NonNullable<RunRecord['failure']>): NonNullable<RunRecord['failure']> {
  return { kind, message: failureSentence(kind, status), ...(status === undefined ? {} : { status }) }
}

/** Describes the kind of failure in one sentence, without words of the provider. */
function failureSentence(kind: string, status?: number): string {
  const answered = kind === 'http' && status !== undefined ? `the provider answered with status ${status}` : undefined
  return answered ?? (Object.hasOwn(failures, kind) ? (failures[kind] ?? '') : '')
}

/** Keeps numbers, names of the contract, and the few words that validators use themselves; any other name may be the model's. */
function pathWithoutWords(path: Path, isName: (name: string) => boolean): Path {
  return path.map((segment) => (typeof segment === 'number' || ownWords.has(segment) || isName(segment) ? segment : '*'))
}

/** Describes when a code is reported; undefined for validators that do not ship with Stickler. */
function sentenceOf(validator: string, code: string): string | undefined {
  const codes = catalogue.validators.find(({ definition }) => definition.name === validator)?.definition.codes
  for (const table of [codes, engineCodes] as readonly (Readonly<Record<string, { readonly when: string }>> | undefined)[]) {
    if (table !== undefined && Object.hasOwn(table, code)) return table[code]?.when
  }
  return undefined
}

const ownWords: ReadonlySet<string> = new Set(['tool_calls', 'name', 'arguments', 'files', 'create', 'modify', 'delete', 'title'])

const reasons: Readonly<Record<NonNullable<Unchecked['reason']>, string>> = {
  fault: 'The parser or rule did not answer.',
  open: 'The parser or rule was not asked, because it had failed too often.',
  'too-large': 'The code is too large to check.',
  'too-hard': 'The parser did not finish with the code.',
  unsupported: 'The parser does not know the language.',
  refused: 'The parser or rule refused the answer.',
  aborted: 'The parser or rule was not waited for.',
  disabled: 'The parser is switched off.',
}

const faults: Readonly<Record<NonNullable<Unchecked['fault']>, string>> = {
  missing: 'The program of the rule could not be started.',
  exit: 'The program of the rule ended before it answered.',
  timeout: 'The parser or rule did not answer in time.',
  connection: 'The service of the parser or rule could not be reached.',
  http: 'The service of the rule answered with an error.',
  protocol: 'The parser or rule answered with something that is no verdict.',
}

const causes: Readonly<Record<Unchecked['cause'], string>> = {
  timeout: 'The check took too long.',
  crash: 'The check failed.',
  unavailable: 'The check did not have what it needs.',
  aborted: 'The check was cut short.',
}

const failures: Readonly<Record<string, string>> = {
  aborted: 'the call was aborted',
  http: 'the provider sent an error',
  timeout: 'the provider did not answer in time',
  deadline: 'no valid answer came before the deadline',
  connection: 'the provider could not be reached',
  empty: 'the provider sent an empty answer',
  protocol: 'the provider sent a malformed answer',
  exit: 'the command of the provider failed',
  crash: 'the upstream failed',
  circuit_open: 'the upstream failed too often and is not called for a while',
}
