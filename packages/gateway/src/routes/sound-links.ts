import type { Issue } from '@stickler/core'
import type { Target } from '../enforcement/target.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where providers put the addresses that an answer refers to. */
const carriers = ['annotations', 'citations', 'search_results']
const addressNames = new Set(['url', 'uri', 'href', 'link'])
/** Nothing that a provider really sends is nested deeper. */
const deepest = 8

/** The fields of a provider as they are passed on: under a contract without references that lead anywhere but to the web. */
export function passedFields(fields: Fields, { contractName, contract }: Target): Fields {
  if (contractName === '' || contract.policy.mode === 'shadow') return fields
  let sound: Record<string, unknown> | undefined
  for (const name of carriers) {
    const list = fields[name]
    if (!Array.isArray(list) || list.every(isSound)) continue
    sound ??= { ...fields }
    sound[name] = list.filter(isSound)
  }
  return sound ?? fields
}

/** What is told of references that are not passed on. */
export function linkIssues(fields: Fields, target: Target): readonly Issue[] {
  const passed = passedFields(fields, target)
  if (passed === fields) return []
  const dropped = carriers.reduce((sum, name) => sum + lengthOf(fields[name]) - lengthOf(passed[name]), 0)
  const message = `Refer to addresses with http or https only; left out: ${dropped}.`
  return [{ code: 'UNSAFE_ADDRESS', severity: 'warning', validator: 'annotations', message }]
}

/** Tells whether an address leads to the web; browsers skip control characters and white space in the name of a scheme. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s]/i.test(address) && !/[\p{Cc}\u2028\u2029]/u.test(address)
}

function isSound(entry: unknown): boolean {
  return typeof entry === 'string' ? isWebAddress(entry) || !/[:\p{Cc}]/u.test(entry) : holdsWebAddresses(entry, false, 0)
}

function holdsWebAddresses(value: unknown, isAddress: boolean, depth: number): boolean {
  if (typeof value === 'string') return !isAddress || isWebAddress(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  return Object.entries(value).every(([name, inner]) =>
    holdsWebAddresses(inner, isAddress || addressNames.has(name.toLowerCase()), depth + 1),
  )
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}
