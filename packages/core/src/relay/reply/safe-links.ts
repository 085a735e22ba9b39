import type { Passes, WireReference } from '../../apis/shared/references.ts'
import type { Issue } from '../../contract/issue.ts'
import { isGuarded, type RelayTarget } from '../relayed-request.ts'
import { replyWords } from './reply-messages.ts'

type Fields = Readonly<Record<string, unknown>>

/** The role of a text by its place: only an address must point to the web; a reference may. */
type Standing = 'text' | 'reference' | 'address' | 'image'

/** Where providers put the addresses that an answer refers to, also as plain text. */
const carriers = new Set(['annotations', 'citations', 'search_results'])
/** Checked elsewhere, or without addresses. */
const others = new Set(['role', 'content', 'tool_calls', 'function_call', 'logprobs', 'audio'])
const addressName = /(?:ur[il]|href|link|src)s?$/i
/** Images that came with the answer; SVG may contain scripts. */
const picture = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,/i
/** No real provider nests deeper. */
const deepest = 32

/**
 * The provider's fields to pass on: under a contract without references to anything but web
 * addresses.
 */
export function passedFields(fields: Fields, target: RelayTarget): Fields {
  if (!isGuarded(target)) return fields
  let sound: Record<string, unknown> | undefined
  for (const name in fields) {
    const value = fields[name]
    if (others.has(name) || isSoundField(name, value)) continue
    sound ??= { ...fields }
    if (Array.isArray(value)) sound[name] = value.filter((item) => isSoundField(name, [item]))
    else delete sound[name]
  }
  return sound ?? fields
}

/** Decides which references of a provider are passed on; undefined where all are. */
export function passesIn(target: RelayTarget): Passes | undefined {
  return isGuarded(target) ? passes : undefined
}

function passes({ name, value, isListed }: WireReference): boolean {
  return isSoundField(name, isListed ? [value] : value)
}

/** The note about references that were removed. */
export function linkIssues(
  sides: readonly (Fields | undefined)[],
  references: readonly WireReference[],
  target: RelayTarget,
): readonly Issue[] {
  let dropped = isGuarded(target) ? references.filter((reference) => !passes(reference)).length : 0
  for (const fields of sides) {
    const passed = fields && passedFields(fields, target)
    if (fields === undefined || passed === undefined || passed === fields) continue
    for (const name in fields) dropped += sizeOf(fields[name]) - sizeOf(passed[name])
  }
  if (dropped === 0) return []
  const message = replyWords[target.contract.policy.locale].unsafeAddress(dropped)
  return [{ code: 'UNSAFE_ADDRESS', severity: 'warning', validator: 'annotations', message }]
}

/**
 * Whether an address points to the web; browsers skip control characters and white space in a
 * scheme.
 */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^\s]/i.test(address) && !/[\p{Cc}\u2028\u2029]/u.test(address)
}

function isSoundField(name: string, value: unknown): boolean {
  if (typeof value === 'string') return isSound(value, carriers.has(name) ? 'reference' : standingOf(name, 'text', false), 0)
  if (typeof value !== 'object' || value === null) return true
  const isImages = name === 'images'
  const standing = carriers.has(name) ? 'reference' : standingOf(name, 'text', isImages)
  if (Array.isArray(value)) return value.every((item) => isSound(item, standing, 1, isImages))
  // As a list with names: its own texts are what the items of a list would be.
  return Object.entries(value).every(([key, item]) => isSound(item, standingOf(key, standing, isImages), 1, isImages))
}

function isSound(value: unknown, standing: Standing, depth: number, isImages = false): boolean {
  if (typeof value === 'string') return isSoundText(value, standing)
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  if (Array.isArray(value)) return value.every((item) => isSound(item, standing, depth + 1, isImages))
  // There may be words beside an address.
  const inner = standing === 'address' || standing === 'image' ? 'reference' : 'text'
  return Object.entries(value).every(([name, item]) => isSound(item, standingOf(name, inner, isImages), depth + 1, isImages))
}

function standingOf(name: string, otherwise: Standing, isImages: boolean): Standing {
  return addressName.test(name) ? (isImages ? 'image' : 'address') : otherwise
}

function isSoundText(text: string, standing: Standing): boolean {
  if (standing === 'text' || text === '') return true
  if (standing === 'image' && picture.test(text)) return true
  // Browsers skip control characters in a scheme; a scheme has no spaces, as words before a colon
  // may.
  return isWebAddress(text) || (standing === 'reference' && !/^[\s\p{Cc}]*[a-z][a-z\d+.\-\p{Cc}]*:/iu.test(text))
}

function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.length : value === undefined ? 0 : 1
}
