import { isHighSurrogate } from '../answer/characters.ts'
import { quoteJson } from '../schema/evaluate/show.ts'
import { maskSecretShapes } from './secret-shapes.ts'

/** Longer pieces of model text are clamped in messages. */
const longest = 80

/** Fences a piece of model text for a message: one line, clamped, in quotes unless it is a plain word or path. */
export function quote(modelText: string): string {
  const clamped = clamp(modelText, longest)
  return /^[\w./-]{1,80}$/.test(clamped) ? clamped : quoteJson(clamped)
}

/** How a tool may be called: a word with the signs that names have, and the kind of the tool. */
const toolName = /^[\p{L}_$][\p{L}\p{M}\p{N}_$.:/-]{0,127}(?: \(\w{1,32}\))?$/u
const longestToolName = 192

/** The name of a tool that a model made up, for a message; what does not look like a name, or may hold a secret, is not repeated. */
export function quoteToolName(name: string): string {
  const shown = name.trim()
  if (shown === '') return quote(name)
  const plain = shown.length > longestToolName ? '' : shown.replace(/\p{Cf}/gu, '')
  const parts = plain.split(/[_.:/$-]/)
  const isSafe = toolName.test(plain) && [plain, ...parts.map((_, at) => parts.slice(at).join('_'))].every(isHarmless)
  return isSafe ? quote(name) : '[hidden]'
}

function isHarmless(part: string): boolean {
  return maskSecretShapes(part) === part && !isRandom(part)
}

/** Whether a text begins with letters and digits as only keys mix them. */
function isRandom(text: string): boolean {
  const run = /^[A-Za-z0-9]{20,}/.exec(text)?.[0] ?? ''
  return /[A-Za-z]/.test(run) && run.replace(/\D/g, '').length > 3
}

/** Cuts a text to at most `limit` UTF-16 units without splitting a character, and marks the cut. */
export function clamp(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Writes a text so that it cannot open or close a tag or an attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? '')
}
