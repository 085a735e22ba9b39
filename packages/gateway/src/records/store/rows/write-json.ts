import type { Issue } from '@stickler/core'
import { compiled } from '../../run/compiled.ts'
import { isGroup, isList } from '../../run/run-columns.ts'
import { type AttemptRecord, attemptMembers, type Column, type Group, type Kind, type List } from '../../run/run-record.ts'
import { isGiven, longText, name, real, sentence, whole } from './values.ts'

type Member = readonly [key: string, member: Column | Group | List]

/** Writes members of an object, separated by commas; absent members are omitted. */
type WriteMembers = (object: object) => string

/** The functions that write values, by their names in generated code. */
const scope = {
  json,
  column,
  /** An optional number is absent or a number, never the null that JSON writes for NaN. */
  finite: (value: unknown) => (typeof value === 'number' ? `${real(value)}` : json(value)),
  boundName: (value: unknown) => column(name(value)),
  boundText: (value: unknown) => column(longText(value)),
  boundWhole: (value: unknown) => `${whole(value)}`,
  boundReal: (value: unknown) => `${real(value)}`,
  boundIssues: (value: unknown) => column((value as readonly Issue[]).map(boundIssue)),
}

type Values = Readonly<Partial<Record<Kind | 'list', keyof typeof scope>>>

/** Makes the function that writes some members; `values` names other writers for some kinds of values. */
export function memberWriter(members: readonly Member[], values: Values = {}): WriteMembers {
  return compiled('object', objectCode(members, 'object', values), scope, generalWriter(members, values))
}

function valueWriter(member: Column | List, values: Values): keyof typeof scope {
  return isList(member) ? (values.list ?? 'json') : (values[member.kind] ?? (member.optional ? 'finite' : 'json'))
}

const isArray = (member: Column | Group | List): boolean =>
  isList(member) || ('kind' in member && member.kind === 'json' && !member.optional)
const isMark = (member: Column | Group | List): boolean => 'kind' in member && member.kind === 'mark'

const startOf = (key: string, index: number): string => `${index === 0 ? '' : ','}"${key}":`

function objectCode(members: readonly Member[], object: string, values: Values): string {
  const parts = members.map(([key, member], index) => {
    const value = `${object}.${key}`
    const code = isGroup(member)
      ? `"{" + ${objectCode(Object.entries(member.parts), value, values)} + "}"`
      : `${valueWriter(member, values)}(${value})`
    const start = startOf(key, index)
    const written = `${JSON.stringify(start)} + ${code}`
    if (isArray(member)) return `(${value}.length === 0 ? ${JSON.stringify(`${start}[]`)} : ${written})`
    return isList(member) || !member.optional ? written : `(${value} ${isMark(member) ? '!== true' : '== null'} ? "" : ${written})`
  })
  return parts.join(' + ')
}

/** The same without compiled code. */
export function generalWriter(members: readonly Member[], values: Values = {}): WriteMembers {
  const writers = members.map(([key, member], index) => {
    const start = startOf(key, index)
    const inner = isGroup(member) ? generalWriter(Object.entries(member.parts), values) : undefined
    const write = isGroup(member) ? (value: unknown) => `{${inner?.(value as object)}}` : scope[valueWriter(member, values)]
    const isOptional = !isList(member) && member.optional === true
    const isThere = isMark(member) ? (value: unknown) => value === true : isGiven
    return (object: Readonly<Record<string, unknown>>) => (isOptional && !isThere(object[key]) ? '' : start + write(object[key]))
  })
  return (object) => writers.map((write) => write(object as Readonly<Record<string, unknown>>)).join('')
}

/** Values within the limits of their columns. */
export const boundedValues: Values = {
  name: 'boundName',
  text: 'boundText',
  whole: 'boundWhole',
  real: 'boundReal',
  list: 'boundIssues',
  json: 'column',
}
const writeAttempt = memberWriter(Object.entries(attemptMembers), boundedValues)

/** Writes the attempts of a run as JSON, every value within its limits; throws if they are not a list. */
export function writeAttempts(attempts: readonly AttemptRecord[]): string {
  let list = ''
  for (const attempt of attempts) list += `${list === '' ? '' : ','}{${writeAttempt(attempt)}}`
  return `[${list}]`
}

function boundIssue(issue: Issue): Issue {
  return {
    ...issue,
    code: name(issue.code),
    severity: name(issue.severity) as Issue['severity'],
    validator: name(issue.validator),
    message: sentence(issue.message),
  }
}

/** Writes a value as JSON, with U+FFFD for characters that a text column cannot store: NUL and lone surrogates. */
function column(value: unknown): string {
  if (typeof value === 'string' && isPlain(value)) return `"${value}"`
  const text = json(value)
  if (!text.includes('\\u')) return text
  return text.replace(/\\(?:u(0000|d[89a-f]..)|.)/g, (escaped, lost?: string) => (lost === undefined ? escaped : '\ufffd'))
}

const longestQuick = 80

/** Writes a value as JSON, like `JSON.stringify` and several times faster for names and numbers; null for values that JSON does not have. */
export function json(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Array.isArray(value) && value.length === 0) return '[]'
  return JSON.stringify(value) ?? 'null'
}

/** Whether a short text needs no escapes: no control character, quote, backslash or lone surrogate. */
function isPlain(text: string): boolean {
  if (text.length > longestQuick) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}
