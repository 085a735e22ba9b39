import { wholeEnd } from '../answer/characters.ts'
import { quoteJson } from '../schema/evaluate/show.ts'

/** What is written in place of a secret. */
export const mask = '[redacted]'

/** What looks like a secret, also right behind the escape of a line break: keys of providers, web tokens, what follows `Bearer`, credentials and queries of addresses, and named keys; the first group stays. */
const patterns: readonly RegExp[] = [
  // backtracks: from one start it reads at most 512 characters, and takes them
  /(?:\b|(?<=\\[bfnrt]))()(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_][-_.A-Za-z0-9]{8,512}/g,
  /(?:\b|(?<=\\[bfnrt]))()(?:AKIA|AIza|ya29\.)[-_A-Za-z0-9]{12,512}/g,
  // backtracks: from one start it reads at most 2048 characters in vain
  /(?:\b|(?<=\\[bfnrt]))()eyJ[-_A-Za-z0-9]{8,2048}\.[-_A-Za-z0-9.]{8,4096}/g,
  // backtracks: from one start it reads the word and 4 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Bearer[ =:]{1,4})[-_.~+/=A-Za-z0-9]{6,4096}/gi,
  // backtracks: from one start it reads the word and 16 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Basic[ =:]{1,4})[+/=A-Za-z0-9]{12,4096}/gi,
  // backtracks: from one start it reads at most 512 characters in vain
  /(:\/\/)[^\s"/@]{1,512}(?=@)/g,
  /(\?)[-_.~%A-Za-z0-9]{1,64}=[^\s"\\]{0,4096}/g,
  // backtracks: from one start it reads a name and 40 characters in vain
  /(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))((?:api[-_]?key|access[-_]?token|secret|password|passwd|authorization|token)(?:\\{0,3}["'])? ?[=:] ?(?:\\{1,3}(?:[bfnrt]|u[0-9a-f]{4})){0,8}(?:\\{0,3}["'])?)[^\s"'&,;}\\]{4,4096}/gi,
]

/** Masks what looks like a secret in a text: in logs, and in what a process says on its error stream. */
export function maskSecretShapes(text: string): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${mask}`), text)
}

/** Fences a piece of model text for a message: one line, clamped, in quotes unless it is a plain word or path. */
export function quote(modelText: string): string {
  return /^[\w./-]{1,80}$/.test(modelText) ? modelText : quoteJson(modelText)
}

/** The words of a parser as a part of a sentence, on one line and clamped: they say what is wrong, and are not what the model wrote. */
export function faultWords(reason: string): string {
  return quoteJson(reason)
    .slice(1, -1)
    .replace(/\\(["\\])/g, '$1')
    .replace(/\.$/, '')
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
  const end = wholeEnd(text, limit - 1)
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
